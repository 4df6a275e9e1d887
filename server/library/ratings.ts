import type { RatedSong } from '../../contract/library.ts'
import type { Rating } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'
import { whileWaited } from '../db/whileWaited.ts'
import { type SongRow, songColumns, toSong } from '../discovery/song.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'

/** All of a listener's ratings, newest first, whole (D-67). One song has one rating, so its id serves. */
export async function listRatings(
  db: Database,
  env: Env,
  listener: string,
  type: Rating | undefined,
): Promise<RatedSong[]> {
  const rows = await db<(SongRow & { banger: boolean; ratedAt: Date })[]>`
    select r.banger, r.rated_at, ${songColumns(db)}
    from ratings r
    join songs s on s.id = r.song_id
    join microgenres m on m.id = r.microgenre_id
    where r.user_id = ${listener} ${type ? db`and r.banger = ${type === 'banger'}` : db``}
    order by r.rated_at desc, r.song_id desc`
  return rows.map((row) => ({
    id: row.songId,
    rating: row.banger ? 'banger' : 'bust',
    createdAt: row.ratedAt.toISOString(),
    song: toSong(row, env),
  }))
}

/**
 * Takes a rating back; totals follow. With `undo` the rating that it replaced in an earlier pass returns.
 * @throws HttpError 404 when the listener has not rated the song.
 */
export async function removeRating(
  db: Database,
  listener: string,
  songId: string,
  undo: boolean,
): Promise<{ success: boolean }> {
  const [row] = await whileWaited(db<{ removed: boolean }[]>`
    select unrate_song_v1(${listener}, ${songId}, ${undo}) as removed`)
  if (!row?.removed) throw new HttpError(404, 'You have not rated this song.')
  return { success: true }
}
