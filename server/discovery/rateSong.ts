import type { Heard, OfferedSong } from '../../contract/discovery.ts'
import { LEAST_LISTENERS, type Rating, type Room } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import { type NextRow, songColumns, toNext } from './song.ts'

/**
 * Rates a song and returns the next one, in one round trip. `completed` means that the pass has no song left
 * (discover-22). Repeating a rating changes nothing and returns the same (discover-14). `room` counts the rated song's
 * listeners, this one included (discover-40).
 * @throws HttpError 404 for an unknown song, 400 for a song of another microgenre (discover-15), 401 when the account
 * was just deleted; nothing is stored then.
 */
export async function rateSong(
  db: Database,
  env: Env,
  listener: string,
  { microgenreId, songId, rating, heard }: RatedSong,
): Promise<{ completed: boolean; nextSong: OfferedSong | null; ratedAt: string; room: Room | null }> {
  const [row] = await db<(Room & Outcome & NextRow)[]>`
    select rated.outcome, rated.rated_at, rated.next_put_off, rated.next_reason, room.listeners, room.bangers, ${songColumns(db)}
    from rate_song_v4(${listener}, ${microgenreId}, ${songId}, ${rating === 'banger'},
      ${heard?.seconds ?? null}::real, ${heard?.source ?? null}) as rated
    -- Its argument needs the outcome, so it runs after the rating.
    cross join lateral song_room_v1(${listener}, case rated.outcome when 'rated' then ${songId}::bigint end) as room
    left join songs s on s.id = rated.next_song_id
    left join microgenres m on m.id = s.microgenre_id`
  if (!row) throw new Error('rate_song_v4 returned no row.')
  if (row.outcome !== 'rated') throw REFUSALS[row.outcome]
  const { ratedAt, listeners, bangers } = row
  return { ...toNext(row, env), ratedAt, room: listeners < LEAST_LISTENERS ? null : { listeners, bangers } }
}

interface RatedSong {
  microgenreId: string
  songId: string
  rating: Rating
  heard?: Heard | null
}

type Outcome = { outcome: 'rated'; ratedAt: string } | { outcome: keyof typeof REFUSALS }

/** Why a song is neither rated nor put off. */
export const REFUSALS = {
  unknown_song: new HttpError(404, 'There is no such song.'),
  wrong_microgenre: new HttpError(400, 'This song belongs to another microgenre.'),
  unknown_listener: new HttpError(401, 'Please sign in.'),
}
