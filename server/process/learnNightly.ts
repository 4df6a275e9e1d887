import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import { MIN_RATINGS } from '../discovery/taste/learnTaste.ts'
import { repeat } from './repeat.ts'
import { runProgram } from './runProgram.ts'

const CHECK_INTERVAL = 10 * 60_000

/**
 * Looks every ten minutes whether tastes are to be learned, and does it in a process of its own, so that no call waits
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
  // A run that is killed changes nothing.
  if (signal.aborted) return
  if (code !== 0) throw new Error(errors)
  const [run] = await db<{ outcome: string; ratings: number | null; loss: number | null }[]>`
    select outcome, ratings, loss from taste_runs where outcome is not null order by run desc limit 1`
  if (run?.outcome === 'refused') log.warn(run, 'the learned tastes are worse and were not put in place')
  else log.info(run ?? {}, 'tastes learned')
}

/**
 * Once a day from three o'clock UTC on, where there are ratings to learn from. A run that did not end is repeated after
 * an hour. Runs from the future are those of a clock that was wrong.
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
