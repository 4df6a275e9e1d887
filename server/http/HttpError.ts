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

/** For calls that need a session, and accounts that were just deleted. */
export const signInRequired = () => new HttpError(401, 'Please sign in.')

/** For calls that may succeed in a moment. */
export const serviceBusy = () =>
  new HttpError(503, 'The service is busy or restarting. Please try again in a moment.', { retryAfter: 1 })
