import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import { runProgram } from '../process/runProgram.ts'
import { MIN_RATINGS } from './learnTaste.ts'

/** Learns tastes in a separate process, so that no call waits (discover-63). A killed run changes nothing. */
export async function learnWhenDue(db: Database, log: Logger, signal: AbortSignal) {
  if (!(await isLearningDue(db))) return 'not due'
  const { code, errors } = await runProgram('learn', [], signal)
  signal.throwIfAborted()
  if (code !== 0) throw new Error(errors)
  const [run] = await db<{ outcome: string; ratings: number | null; loss: number | null }[]>`
    select outcome, ratings, loss from taste_runs where outcome is not null order by run desc limit 1`
  if (run?.outcome === 'refused') log.warn(run, 'the learned tastes are worse and were not activated')
  else log.info(run ?? {}, 'tastes learned')
  return 'done'
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
