import type { Logger } from 'pino'
import { sweepLinks } from '../auth/magicLink.ts'
import { sweepSessions } from '../auth/sessions.ts'
import type { Database } from '../db/connection.ts'
import { dropUnusedFunctions } from '../db/functions.ts'
import type { Env } from '../env.ts'
import { sweepLimits } from '../http/limits/limits.ts'
import { repeat } from './repeat.ts'

const INTERVAL = 10 * 60_000

/** Deletes expired rate limits, sessions, sign-in links and undone ratings. All processes do it, with SKIP LOCKED. */
export async function sweep(db: Database): Promise<void> {
  await sweepLimits(db)
  await sweepSessions(db)
  await sweepLinks(db)
  // Pages ask for at most seven days (library-17).
  await db`delete from undone_ratings where undone_at <= now() - interval '8 days'`
}

/** Deletes what has expired now and every ten minutes, and unused database functions. Returns a function that stops it. */
export function startHousekeeping(db: Database, env: Env, log: Logger): () => Promise<void> {
  const work = async () => {
    await sweep(db)
    // In the embedded database this role owns no functions, and only one version runs at a time.
    if (env.DATABASE_URL) await dropUnusedFunctions(db)
  }
  return repeat(work, { interval: INTERVAL, failure: 'housekeeping failed; will retry', log })
}
