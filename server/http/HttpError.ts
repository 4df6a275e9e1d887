/**
 * An error that the caller can act on: it is sent as its status and `{message}`. Any other error becomes a plain
 * 500.
 */
export class HttpError extends Error {
  readonly status: number
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined

  constructor(status: number, message: string, options: { retryAfter?: number } = {}) {
    super(message)
    this.status = status
    this.retryAfter = options.retryAfter
  }
}
