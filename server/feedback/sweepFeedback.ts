import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import { repeat } from '../process/repeat.ts'

const SWEEP_INTERVAL = 10 * 60_000

/**
 * Days after which messages of people without an account are deleted; those of listeners are deleted with the
 * account.
 */
const MAX_VISITOR_DAYS = 365

/** Deletes old messages of people without an account (people-25). */
export async function sweepFeedback(db: Database): Promise<void> {
  await db`
    delete from feedback where user_id is null and created_at < now() - ${MAX_VISITOR_DAYS} * interval '1 day'`
}

/** Sweeps now and every ten minutes. Returns a function that stops it. */
export function startSweepingFeedback(db: Database, log: Logger): () => Promise<void> {
  return repeat(() => sweepFeedback(db), {
    interval: SWEEP_INTERVAL,
    failure: 'old messages could not be deleted; will retry',
    log,
  })
}
