import type { OfferedSong } from '../../contract/discovery.ts'
import type { Database } from '../db/connection.ts'
import { functions } from '../db/functions.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import { offeredColumns, type SongRow, toOffered } from './song.ts'

/**
 * Up to `limit` next songs of the pass, in its order (discover-19, discover-43). The result stays the same until one
 * is rated or deferred. Empty when the pass is complete or the microgenre has no songs.
 * @throws HttpError 404 for an unknown microgenre.
 */
export async function listNextSongs(
  db: Database,
  env: Env,
  listener: string,
  microgenreId: string,
  limit: number,
): Promise<OfferedSong[]> {
  const rows = await db<(SongRow & { putOff: boolean; reason: number | null })[]>`
    select next.put_off, next.reason, ${offeredColumns(db, db`next`)}
    from ${functions}.next_songs(${listener}::bigint, ${microgenreId}::bigint, ${limit}::int) as next`
  if (rows.length === 0) await requireMicrogenre(db, microgenreId)
  return rows.map((row) => toOffered(row, row.putOff, row.reason, env))
}

async function requireMicrogenre(db: Database, id: string): Promise<void> {
  const [row] = await db`select from microgenres where id = ${id}`
  if (!row) throw new HttpError(404, 'There is no such microgenre.')
}
