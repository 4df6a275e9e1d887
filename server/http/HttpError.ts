/** What a caller can act on: leaves as its status and `{message}`. Everything else leaves as a bare 500. */
export class HttpError extends Error {
  readonly status: number
  /** Seconds after which it is worth trying again. */
  readonly retryAfter: number | undefined

  constructor(status: number, message: string, options: { retryAfter?: number } = {}) {
    super(message)
    this.status = status
    this.retryAfter = options.retryAfter
  }
}
