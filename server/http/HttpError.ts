/** An error that the caller can act on, sent as its status and `{message}`. Any other error is sent as a plain 500. */
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
/** Milliseconds. Without a deadline, a call would wait forever for a database that hangs. */
export const CALL_DEADLINE = 5000

/** @throws HttpError 503 with Retry-After when the work is not done in time. */
export function withDeadline<T>(work: Promise<T>, milliseconds = CALL_DEADLINE): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new HttpError(503, 'That took too long. Please try again in a moment.', { retryAfter: 2 }))
    }, milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
