import type { Exchange } from '../http/exchange.ts'
import { HttpError } from '../http/HttpError.ts'

/** Before a GET that signs in or out: a browser discards such an answer, and asks again when the address is opened. */
export function refusePrefetch({ isPrefetch }: Exchange): void {
  if (isPrefetch) throw new HttpError(503, 'Please open the address itself.')
}
