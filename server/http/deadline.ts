import { HttpError } from './HttpError.ts'

/** Milliseconds that a call may take, because a statement in a database that hangs may never end. */
export const CALL_DEADLINE = 5000

/** @throws HttpError 503 with Retry-After when the work is not done in time. */
export async function withDeadline<T>(work: Promise<T>, milliseconds = CALL_DEADLINE): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(new HttpError(503, 'That took too long. Please try again in a moment.', { retryAfter: 2 })),
      milliseconds,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
