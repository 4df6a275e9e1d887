import { ApiError } from '../api/ApiError.ts'

/** Why bytes or a call failed, in words (uploads-9). */
export class UploadFailure extends Error {
  /** Set only where a retry can help. */
  readonly source: { status: number } | undefined

  constructor(message: string, status: number) {
    super(message)
    this.name = 'UploadFailure'
    this.source = isRetryable(status) ? { status } : undefined
  }
}

/** Status 0 means no answer. A 4xx is final, except 403 (an expired address), 409 and 429 (uploads-8). */
function isRetryable(status: number): boolean {
  return status < 400 || status >= 500 || [403, 409, 429].includes(status)
}

/** The storage's answer to bytes; `body` may contain the server's message. */
export function storageFailure(status: number, body: string): UploadFailure {
  if (status === 401) return new UploadFailure(UNAUTHORIZED_MESSAGE, status)
  if (status === 403) return new UploadFailure(EXPIRED_MESSAGE, status)
  const reason = new ApiError(status, '', body).serverMessage
  return new UploadFailure(reason ? `Non 2xx: ${reason}` : 'Non 2xx', status)
}

/** The failure of a call of the contract. */
export function callFailure(error: unknown): UploadFailure {
  if (error instanceof UploadFailure) return error
  if (!(error instanceof ApiError)) return new UploadFailure('Unknown error', 0)
  if (error.status === 401) return new UploadFailure(UNAUTHORIZED_MESSAGE, 401)
  if (error.status === 403) return new UploadFailure(EXPIRED_MESSAGE, 403)
  return new UploadFailure(error.serverMessage ?? `Non 2xx: ${error.message}`, error.status)
}

const UNAUTHORIZED_MESSAGE = 'Authorization required'

/** Uppy requests a new address when it reads exactly this text. */
const EXPIRED_MESSAGE = 'Request has expired'
