import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import { functions } from '../db/functions.ts'
import { inBatches } from '../db/inBatches.ts'
import { repeat } from '../process/repeat.ts'

const CHANGES_PER_BATCH = 5000

/** Songs and listeners that one transaction moves out of the 30-day windows. */
const ROWS_PER_STEP = 2000

const INTERVAL = 1000

/** Days that `song_days` keeps. */
export const SONG_DAYS = 40

/**
 * Adds queued changes to the totals and moves the 30-day windows to today, until nothing is left, another process
 * does it, or `signal` stops it between two transactions. Changes are added between the steps of a move. Pauses after each step for as long as it took, because a
 * move can take a minute while listeners rate.
 */
export async function rollUp(db: Database, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const hasFoldedAll = (await foldChanges(db)) < CHANGES_PER_BATCH
    const started = performance.now()
    const [windows] = await db<
      { move: boolean }[]
    >`select ${functions}.move_windows(${ROWS_PER_STEP}) as move`
    if (windows?.move) await wait(performance.now() - started)
    else if (hasFoldedAll) return
  }
}

/** Returns the number of added changes; 0 when there are none, or when another process adds them. */
async function foldChanges(db: Database): Promise<number> {
  try {
    return await db.begin('isolation level repeatable read', async (tx) => {
      const [changes] = await tx<
        { folded: number }[]
      >`select ${functions}.fold_changes(${CHANGES_PER_BATCH}) as folded`
      return changes?.folded ?? 0
    })
  } catch (error) {
    if (error instanceof DatabaseError && error.code === SERIALIZATION_FAILURE) return 0
    throw error
  }
}

/** PostgreSQL's serialization_failure: another process changed the totals meanwhile. */
const SERIALIZATION_FAILURE = '40001'

/** Rolls up once a second, so that totals lag by at most two seconds (community-4). Returns a function that stops it. */
export function startRollUp(db: Database, log: Logger): () => Promise<void> {
  return repeat((signal) => rollUp(db, signal), {
    interval: INTERVAL,
    failure: 'the roll-up failed; will retry',
    log,
  })
}

/** Ten days more than the windows have, into which they go back when a clock was ahead. */
export const sweepSongDays = (db: Database, signal?: AbortSignal): Promise<void> =>
  inBatches(
    signal,
    (rows) => db`
      delete from song_days where (day, song_id) in (
        select d.day, d.song_id from song_days d
        where d.day < (select day from community_totals) - ${SONG_DAYS}::int order by d.day, d.song_id limit ${rows})`,
  )
