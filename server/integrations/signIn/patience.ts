import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds for one request to a provider. */
export const STEP_TIMEOUT = 3000

/** Milliseconds for all requests together; the call has five seconds. */
const PATIENCE = 4000

export class OutOfPatience extends Error {}

/** @throws OutOfPatience when the time is used up. */
export function withPatience<T>(work: Promise<T>): Promise<T> {
  const late = wait(PATIENCE, undefined, { ref: false }).then((): never => {
    throw new OutOfPatience('no answer in time')
  })
  return Promise.race([work, late])
}
