import type { rateAndAdvance } from '../../contract/discovery.ts'
import type { BodyOf, ResponseOf } from '../../contract/endpoint.ts'
import { MIN_LISTENERS, type Room } from '../../contract/shapes.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { functions } from '../db/functions.ts'
import type { Env } from '../env.ts'
import { HttpError, signInRequired } from '../http/HttpError.ts'
import { resolveTimeZone } from '../profiles/stats.ts'
import { type NextRow, offeredColumns, toNext } from './song.ts'

/** A rating to store. `zone` is the checked time zone of its day; `body.zone` is not checked. */
export interface RatingContext {
  listener: string
  body: BodyOf<typeof rateAndAdvance>
  zone: string | null
}

export type RatingResponse = ResponseOf<typeof rateAndAdvance>

/** @throws what reading the time zones from the database throws. */
export async function readRatingContext(
  db: Database,
  listener: string,
  body: RatingContext['body'],
): Promise<RatingContext> {
  return { listener, body, zone: body.zone === undefined ? null : await resolveTimeZone(db, body.zone) }
}

/**
 * Stores a rating and returns what the page shows next, in one round trip. `completed` means that the pass has no
 * songs left (discover-22). Idempotent (discover-14). `room` counts the song's listeners, including this one
 * (discover-40).
 * @throws HttpError 404 for an unknown song, 400 for a song of another microgenre (discover-15), 401 when the account
 * was just deleted; nothing is stored then.
 */
export async function storeRating(db: Queryable, env: Env, rating: RatingContext): Promise<RatingResponse> {
  const { listener, body, zone } = rating
  const [row] = await db<RatedRow[]>`
    select ${resultColumns(db)}
    from ${functions}.rate_song(${listener}::bigint, ${body.microgenreId}::bigint, ${body.songId}::bigint,
      ${body.rating === 'banger'}::boolean, ${body.heard?.seconds ?? null}::real, ${body.heard?.source ?? null}::text,
      ${zone}::text) as rated`
  if (!row) throw new Error('rate_song returned no row.')
  const answer = toResponse(row, body, env)
  if (answer instanceof HttpError) throw answer
  return answer
}

/** The same, and checks the time zone first. */
export async function rateSong(
  db: Database,
  env: Env,
  listener: string,
  body: RatingContext['body'],
): Promise<RatingResponse> {
  return storeRating(db, env, await readRatingContext(db, listener, body))
}

/**
 * Stores ratings of several listeners in one transaction: all, or none if it throws. Returns a response or a refusal
 * for each; null for a listener whom another transaction has locked, or whose account is gone.
 */
export async function storeRatings(
  db: Queryable,
  env: Env,
  ratings: readonly RatingContext[],
): Promise<(RatingResponse | HttpError | null)[]> {
  const column = <Value>(value: (rating: RatingContext) => Value) => ratings.map(value)
  const listeners = column(({ listener }) => listener)
  const input = db`unnest(
      ${listeners}::bigint[],
      ${column(({ body }) => body.microgenreId)}::bigint[],
      ${column(({ body }) => body.songId)}::bigint[],
      ${column(({ body }) => body.rating === 'banger')}::boolean[],
      ${column(({ body }) => body.heard?.seconds ?? null)}::real[],
      ${column(({ body }) => body.heard?.source ?? null)}::text[],
      ${column(({ zone }) => zone)}::text[]
    ) with ordinality as given (listener, genre, song, is_banger, seconds, source, zone, place)`
  const rows = await db<(RatedRow & { place: number })[]>`
    select coalesce(given.place, 0)::int as place, ${resultColumns(db)}
    from (
      select given.* from ${input}
      join (
        select s.user_id from listener_stats s where s.user_id = any(${listeners}::bigint[]) for update skip locked
      ) as free on free.user_id = given.listener
      order by given.place
    ) as given
    cross join lateral ${functions}.rate_song(given.listener, given.genre, given.song, given.is_banger, given.seconds,
      given.source, given.zone) as rated`
  return ratings.map(({ body }, n) => {
    const row = rows.find(({ place }) => place === n + 1)
    return row ? toResponse(row, body, env) : null
  })
}

const resultColumns = (db: Queryable) => db`
  rated.outcome, rated.rated_at, rated.listeners, rated.bangers, rated.total_bangers, rated.total_ratings,
  rated.daily_bangers, rated.daily_ratings, rated.unlocked, rated.put_off as next_put_off, rated.reason as next_reason,
  ${offeredColumns(db, db`rated`)}`

type RatedRow = Outcome & RatingFigures & NextRow

function toResponse(row: RatedRow, { zone }: RatingContext['body'], env: Env): RatingResponse | HttpError {
  if (row.outcome !== 'rated') return RATING_REFUSALS[row.outcome]
  const { ratedAt, listeners, bangers, totalBangers, totalRatings, dailyBangers, dailyRatings, unlocked } =
    row
  return {
    ...toNext(row, env),
    ratedAt,
    room: listeners < MIN_LISTENERS ? null : { listeners, bangers },
    totals: { totalBangers, totalRatings },
    today: zone === undefined ? null : { dailyBangers, dailyRatings },
    unlocked,
  }
}

interface RatingFigures extends Room {
  totalBangers: number
  totalRatings: number
  dailyBangers: number
  dailyRatings: number
  unlocked: boolean
}

type Outcome = { outcome: 'rated'; ratedAt: string } | { outcome: keyof typeof RATING_REFUSALS }

/** Why a song is neither rated nor deferred. */
export const RATING_REFUSALS = {
  unknown_song: new HttpError(404, 'There is no such song.'),
  wrong_microgenre: new HttpError(400, 'This song belongs to another microgenre.'),
  unknown_listener: signInRequired(),
}
