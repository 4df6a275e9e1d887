import { ApiError } from '../api/ApiError.ts'

/**
 * Why bytes or a call did not get through, in the words of spec §8. Uppy looks at `source` to decide whether to
 * repeat a part: it is there only where a repetition can help.
 */
export class UploadFailure extends Error {
  readonly source: { status: number } | undefined

  constructor(message: string, status: number) {
    super(message)
    this.name = 'UploadFailure'
    this.source = isWorthRepeating(status) ? { status } : undefined
  }
}

/** Status 0 is no answer at all. 4xx is final, but for 403 (an address that expired), 409 and 429 (spec §8). */
function isWorthRepeating(status: number): boolean {
  return status < 400 || status >= 500 || [403, 409, 429].includes(status)
}

/** What the storage answered to bytes; `body` may hold the server's own words. */
export function failureOfBytes(status: number, body: string): UploadFailure {
  if (status === 401) return new UploadFailure(UNAUTHORIZED, status)
  if (status === 403) return new UploadFailure(EXPIRED, status)
  const words = new ApiError(status, '', body).serverMessage
  return new UploadFailure(words ? `Non 2xx: ${words}` : 'Non 2xx', status)
}

/** What a call of the contract ended with. */
export function failureOfCall(error: unknown): UploadFailure {
  if (error instanceof UploadFailure) return error
  if (!(error instanceof ApiError)) return new UploadFailure('Unknown error', 0)
  if (error.status === 401) return new UploadFailure(UNAUTHORIZED, 401)
  if (error.status === 403) return new UploadFailure(EXPIRED, 403)
  return new UploadFailure(error.serverMessage ?? `Non 2xx: ${error.message}`, error.status)
}

const UNAUTHORIZED = 'Authorization required'

/** Uppy asks for a new address when it reads exactly this. */
const EXPIRED = 'Request has expired'
