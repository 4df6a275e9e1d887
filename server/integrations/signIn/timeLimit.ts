import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds for one request to a provider. */
export const STEP_TIMEOUT = 3000

/** Milliseconds for all requests together; the call has five seconds. */
const TIME_LIMIT = 4000

export class SignInTimedOut extends Error {}

/** @throws TimedOut when the time is used up. */
export function withTimeLimit<T>(work: Promise<T>): Promise<T> {
  const timeout = wait(TIME_LIMIT, undefined, { ref: false }).then((): never => {
    throw new SignInTimedOut('no answer in time')
  })
  return Promise.race([work, timeout])
}
