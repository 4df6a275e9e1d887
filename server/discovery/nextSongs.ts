import type { Song } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import { type SongRow, songColumns, toSong } from './song.ts'

/**
 * Up to `wanted` songs that the listener has not rated in this pass, in the pass's order (discover-19). The result
 * stays the same until one is rated. Empty when the microgenre is complete or has no songs.
 * @throws HttpError 404 for an unknown microgenre.
 */
export async function nextSongs(
  db: Database,
  env: Env,
  listener: string,
  microgenreId: string,
  wanted: number,
): Promise<Song[]> {
  const rows = await db<SongRow[]>`
    select ${songColumns(db)}
    from next_songs_v1(${listener}, ${microgenreId}, ${wanted}) with ordinality as next (id, place)
    join songs s on s.id = next.id
    join microgenres m on m.id = s.microgenre_id
    order by next.place`
  if (rows.length === 0) await requireMicrogenre(db, microgenreId)
  return rows.map((row) => toSong(row, env))
}

async function requireMicrogenre(db: Database, id: string): Promise<void> {
  const [row] = await db`select from microgenres where id = ${id}`
  if (!row) throw new HttpError(404, 'There is no such microgenre.')
}
