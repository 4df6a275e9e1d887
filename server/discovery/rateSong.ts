import { PREFETCH_SIZE, type rateAndAdvance } from '../../contract/discovery.ts'
import type { Body, Response } from '../../contract/endpoint.ts'
import { LEAST_LISTENERS, type Room } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import { timeZone } from '../profiles/stats.ts'
import { type NextRow, songColumns, toNext } from './song.ts'

/**
 * Rates a song and returns what the page shows next, in one round trip. `completed` means that the pass has no song left
 * (discover-22). Repeating a rating changes nothing and returns the same (discover-14). `room` counts the rated song's
 * listeners, this one included (discover-40). With `ahead` the songs that follow are dealt and returned, as for a prefetch.
 * @throws HttpError 404 for an unknown song, 400 for a song of another microgenre (discover-15), 401 when the account
 * was just deleted; nothing is stored then.
 */
export async function rateSong(
  db: Database,
  env: Env,
  listener: string,
  { microgenreId, songId, rating, heard, zone, ahead = false }: Body<typeof rateAndAdvance>,
): Promise<Response<typeof rateAndAdvance>> {
  // Arguments that need the outcome make a function run after the rating.
  const ifRated = (value: string) => db`case rated.outcome when 'rated' then ${value}::bigint end`
  const next = ahead
    ? db`left join lateral next_songs_v3(${listener}, ${ifRated(microgenreId)}, ${PREFETCH_SIZE})
        with ordinality as next (id, put_off, reason, place) on true`
    : db`cross join lateral (values (rated.next_song_id, rated.next_put_off, rated.next_reason, 1))
        as next (id, put_off, reason, place)`
  const rows = await db<(Outcome & Figures & NextRow)[]>`
    with rated as materialized (
      select rated.outcome, rated.rated_at, rated.next_song_id, rated.next_put_off, rated.next_reason,
        figures.listeners, figures.bangers, figures.total_bangers, figures.total_ratings,
        figures.daily_bangers, figures.daily_ratings, figures.unlocked
      from rate_song_v4(${listener}, ${microgenreId}, ${songId}, ${rating === 'banger'},
        ${heard?.seconds ?? null}::real, ${heard?.source ?? null}) as rated
      cross join lateral rating_figures_v1(${listener}, ${ifRated(songId)},
        ${zone === undefined ? null : await timeZone(db, zone)}) as figures
    )
    select rated.outcome, rated.rated_at, rated.listeners, rated.bangers, rated.total_bangers, rated.total_ratings,
      rated.daily_bangers, rated.daily_ratings, rated.unlocked,
      next.put_off as next_put_off, next.reason as next_reason, ${songColumns(db)}
    from rated ${next}
    left join songs s on s.id = next.id
    left join microgenres m on m.id = s.microgenre_id
    order by next.place`
  const [row] = rows
  if (!row) throw new Error('rate_song_v4 returned no row.')
  if (row.outcome !== 'rated') throw REFUSALS[row.outcome]
  const { ratedAt, listeners, bangers, totalBangers, totalRatings, dailyBangers, dailyRatings, unlocked } =
    row
  return {
    ...toNext(row, env),
    songs: ahead ? rows.flatMap((each) => toNext(each, env).nextSong ?? []) : null,
    ratedAt,
    room: listeners < LEAST_LISTENERS ? null : { listeners, bangers },
    totals: { totalBangers, totalRatings },
    today: zone === undefined ? null : { dailyBangers, dailyRatings },
    unlocked,
  }
}

interface Figures extends Room {
  totalBangers: number
  totalRatings: number
  dailyBangers: number
  dailyRatings: number
  unlocked: boolean
}

type Outcome = { outcome: 'rated'; ratedAt: string } | { outcome: keyof typeof REFUSALS }

/** Why a song is neither rated nor put off. */
export const REFUSALS = {
  unknown_song: new HttpError(404, 'There is no such song.'),
  wrong_microgenre: new HttpError(400, 'This song belongs to another microgenre.'),
  unknown_listener: new HttpError(401, 'Please sign in.'),
}
