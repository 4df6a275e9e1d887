import type { Exchange } from '../http/exchange.ts'
import { HttpError } from '../http/HttpError.ts'

/**
 * For a GET that signs in or out. A browser discards this response, and requests the address again when it is opened.
 */
export function refusePrefetch({ isPrefetch }: Exchange): void {
  if (isPrefetch) throw new HttpError(503, 'Please open the address itself.')
}
