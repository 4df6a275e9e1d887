import type { OfferedSong } from '../../contract/discovery.ts'
import type { Database } from '../db/connection.ts'
import { functions } from '../db/functions.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import { type NextRow, offeredColumns, toNext } from './song.ts'
import { RATING_REFUSALS } from './storeRatings.ts'

/**
 * Defers a song to the end of the pass, or with `again` skips it for this pass, and returns the next one
 * (discover-43). Idempotent.
 * @throws HttpError as for a rating.
 */
export async function deferSong(
  db: Database,
  env: Env,
  listener: string,
  { microgenreId, songId, again }: { microgenreId: string; songId: string; again: boolean },
): Promise<{ completed: boolean; nextSong: OfferedSong | null; saidAt: string | null }> {
  const [row] = await db<(Outcome & NextRow)[]>`
    select said.outcome, said.said_at, said.put_off as next_put_off, said.reason as next_reason,
      ${offeredColumns(db, db`said`)}
    from ${functions}.say_not_now(${listener}::bigint, ${microgenreId}::bigint, ${songId}::bigint, ${again}::boolean) as said`
  if (!row) throw new Error('say_not_now returned no row.')
  if (row.outcome !== 'said') throw RATING_REFUSALS[row.outcome]
  return { ...toNext(row, env), saidAt: row.saidAt }
}

type Outcome = { outcome: 'said'; saidAt: string | null } | { outcome: keyof typeof RATING_REFUSALS }

/** @throws HttpError 404 for an unknown song. */
export async function undoDefer(
  db: Database,
  listener: string,
  songId: string,
  saidAt: string,
): Promise<{ success: boolean }> {
  const [row] = await db<{ known: boolean }[]>`
    select ${functions}.take_back_not_now(${listener}, ${songId}, ${saidAt}) as known`
  if (!row?.known) throw new HttpError(404, 'There is no such song.')
  return { success: true }
}
