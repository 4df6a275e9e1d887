import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import { repeat } from '../process/repeat.ts'
import { runProgram } from '../process/runProgram.ts'
import { MIN_RATINGS } from './learnTaste.ts'

const CHECK_INTERVAL = 10 * 60_000

/**
 * Checks every ten minutes whether tastes are due, and learns them in a separate process, so that no call waits
 * (discover-63). Returns a function that stops it.
 */
export function startLearning(db: Database, log: Logger): () => Promise<void> {
  return repeat((signal) => learnWhenDue(db, log, signal), {
    interval: CHECK_INTERVAL,
    failure: 'tastes could not be learned; will retry',
    log,
  })
}

async function learnWhenDue(db: Database, log: Logger, signal: AbortSignal): Promise<void> {
  if (!(await isLearningDue(db))) return
  const { code, errors } = await runProgram('learn', [], signal)
  // A killed run changes nothing.
  if (signal.aborted) return
  if (code !== 0) throw new Error(errors)
  const [run] = await db<{ outcome: string; ratings: number | null; loss: number | null }[]>`
    select outcome, ratings, loss from taste_runs where outcome is not null order by run desc limit 1`
  if (run?.outcome === 'refused') log.warn(run, 'the learned tastes are worse and were not activated')
  else log.info(run ?? {}, 'tastes learned')
}

/**
 * Once a day from 3:00 UTC on, if there are enough ratings. A run that did not end is repeated after an hour. Runs from
 * the future, by a wrong clock, are ignored.
 */
export async function isLearningDue(db: Database): Promise<boolean> {
  const [row] = await db<{ due: boolean }[]>`
    select not exists (
        select from taste_runs
        where started_at <= now() and (started_at > now() - interval '1 hour' or ended_at >= (
          date_trunc('day', (now() at time zone 'UTC') - interval '3 hours') + interval '3 hours') at time zone 'UTC')
      ) and coalesce((select sum(dealt_ratings) from microgenre_totals), 0) >= ${MIN_RATINGS}::bigint as due`
  return row?.due === true
}
