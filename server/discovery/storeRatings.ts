import { PREFETCH_SIZE, type rateAndAdvance } from '../../contract/discovery.ts'
import type { BodyOf, ResponseOf } from '../../contract/endpoint.ts'
import { MIN_LISTENERS } from '../../contract/shapes.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { functions } from '../db/functions.ts'
import type { Env } from '../env.ts'
import { resolveTimeZone } from '../profiles/stats.ts'
import { explainRefusal } from './dealtSongs.ts'
import { type NextRow, offeredColumns, toNext } from './song.ts'

/** A rating to store. `zone` is the checked time zone of its day; `body.zone` is not checked. */
export interface RatingContext {
  listener: string
  body: BodyOf<typeof rateAndAdvance>
  zone: string | null
}

export type RatingResponse = ResponseOf<typeof rateAndAdvance>

export interface StoredRating {
  /**
   * What the page shows next. `completed` means that the pass has no songs left (discover-22), `room` counts the song's
   * listeners with this one (discover-40). A repeated rating changes nothing and is answered alike (discover-14).
   */
  response: RatingResponse
  /** How many dealt songs are ahead. */
  aheadCount: number
}

/** @throws what reading the time zones from the database throws. */
export async function readRatingContext(
  db: Database,
  listener: string,
  body: RatingContext['body'],
): Promise<RatingContext> {
  return { listener, body, zone: body.zone === undefined ? null : await resolveTimeZone(db, body.zone) }
}

/**
 * Stores a rating alone, after waiting for what else its listener does.
 * @throws HttpError 404 for an unknown song, 400 for a song of another microgenre (discover-15), 401 when the account
 * was just deleted; nothing is stored then.
 */
export async function storeRating(db: Queryable, env: Env, rating: RatingContext): Promise<StoredRating> {
  const { listener, body, zone } = rating
  const [row] = await db<RatedRow[]>`
    select ${ratedColumns(db)}
    from ${functions}.rate_song(${listener}::bigint, ${body.microgenreId}::bigint, ${body.songId}::bigint,
      ${body.rating === 'banger'}::boolean, ${body.heard?.seconds ?? null}::real, ${body.heard?.source ?? null}::text,
      ${zone}::text) as rated`
  if (!row) throw await explainRefusal(db, body.microgenreId, body.songId)
  return toStored(rating, row, env)
}

/** The response to a rating that is stored alone, after its time zone is checked. */
export async function rateSong(
  db: Database,
  env: Env,
  listener: string,
  body: RatingContext['body'],
): Promise<RatingResponse> {
  return (await storeRating(db, env, await readRatingContext(db, listener, body))).response
}

/**
 * Stores ratings of different listeners in one transaction: all, or none if it throws. Null for those that are to be stored
 * alone: their listener is locked or has no dealt song left, or they are refused.
 */
export async function storeRatings(
  db: Queryable,
  env: Env,
  ratings: readonly RatingContext[],
): Promise<(StoredRating | null)[]> {
  const column = <Value>(value: (rating: RatingContext) => Value) => ratings.map(value)
  const rows = await db<RatedRow[]>`
    select ${ratedColumns(db)}
    from ${functions}.rate_songs(
      ${column(({ listener }) => listener)}::bigint[],
      ${column(({ body }) => body.microgenreId)}::bigint[],
      ${column(({ body }) => body.songId)}::bigint[],
      ${column(({ body }) => body.rating === 'banger')}::boolean[],
      ${column(({ body }) => body.heard?.seconds ?? null)}::real[],
      ${column(({ body }) => body.heard?.source ?? null)}::text[],
      ${column(({ zone }) => zone)}::text[]) as rated`
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return ratings.map((rating, n) => {
    const row = byPlace.get(n + 1)
    return row ? toStored(rating, row, env) : null
  })
}

/** Deals songs to these listeners until there are five ahead, except to those who are locked. */
export async function fillHands(db: Queryable, ratings: readonly RatingContext[]): Promise<void> {
  await db`
    select ${functions}.fill_hands(null, ${ratings.map(({ listener }) => listener)}::bigint[],
      ${ratings.map(({ body }) => body.microgenreId)}::bigint[], ${PREFETCH_SIZE}::int)`
}

const ratedColumns = (db: Queryable) => db`
  coalesce(rated.place, 0) as place, rated.rated_at, rated.room_ratings, rated.room_bangers, rated.total_ratings, rated.total_bangers,
  rated.daily_ratings, rated.daily_bangers, rated.unlocked, rated.ahead_count, rated.is_first, rated.can_lean, rated.put_off as next_put_off, rated.reason as next_reason, ${offeredColumns(db, db`rated`)}`

type RatedRow = {
  /** In the batch, from 1. */
  place: number
  ratedAt: string
  roomRatings: number
  roomBangers: number
  totalRatings: number
  totalBangers: number
  dailyRatings: number
  dailyBangers: number
  unlocked: boolean
  aheadCount: number
  isFirst: boolean
  canLean: boolean
} & NextRow

function toStored({ body }: RatingContext, row: RatedRow, env: Env): StoredRating {
  const { ratedAt, roomRatings, roomBangers, totalBangers, totalRatings, unlocked, aheadCount, canLean } = row
  const { dailyBangers, dailyRatings, isFirst } = row
  return {
    response: {
      ...toNext(row, env),
      ratedAt,
      listeners: roomRatings,
      isFirst,
      room: roomRatings < MIN_LISTENERS ? null : { listeners: roomRatings, bangers: roomBangers },
      totals: { totalBangers, totalRatings },
      today: body.zone === undefined ? null : { dailyBangers, dailyRatings },
      canLean,
      unlocked,
    },
    aheadCount,
  }
}
