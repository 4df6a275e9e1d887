import { setTimeout as wait } from 'node:timers/promises'
import type { PastRating, RatedSong, RatingChanges } from '../../contract/library.ts'
import type { Rating } from '../../contract/shapes.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { functions } from '../db/functions.ts'
import { inBatches } from '../db/inBatches.ts'
import { type SongRow, songColumns, toSong } from '../discovery/song.ts'
import type { Env } from '../env.ts'
import type { ItemRange } from '../http/exchange.ts'
import { HttpError, withDeadline } from '../http/HttpError.ts'

/** All of a listener's ratings, newest first (library-10). */
export async function listRatings(
  db: Database,
  env: Env,
  listener: string,
  type: Rating | undefined,
): Promise<RatedSong[]> {
  const rows = await db<RatingRow[]>`
    select ${ratingColumns(db)} ${ratingsOf(db, listener, type)} ${newestFirst(db)}`
  return rows.map((row) => toRatedSong(row, env))
}

/** Ratings read and serialised before other calls get a turn. */
const BATCH_SIZE = 100

/**
 * Streams all of a listener's ratings in batches, because serialising ten thousand at once would block the event loop.
 * Pauses after each batch for as long as it took, which leaves half of the time to other calls.
 */
export async function* streamRatings(
  db: Queryable,
  env: Env,
  listener: string,
  type: Rating | undefined,
): AsyncGenerator<RatedSong[]> {
  let after: string | undefined
  do {
    const started = performance.now()
    const { ratings, next } = await withDeadline(
      listRatingsPage(db, env, listener, { type, limit: BATCH_SIZE, after }),
    )
    if (ratings.length > 0) yield ratings
    after = next
    if (after) await wait(performance.now() - started)
  } while (after)
}

interface Page {
  type: Rating | undefined
  limit: number
  /** The `next` of the previous page. */
  after: string | undefined
}

/** A page of the list, and the cursor of the next page if there is one (library-19). */
export async function listRatingsPage(
  db: Queryable,
  env: Env,
  listener: string,
  { type, limit, after }: Page,
): Promise<{ ratings: RatedSong[]; next: string | undefined }> {
  const rows = await db<(RatingRow & { place: string })[]>`
    select ${ratingColumns(db)}, (extract(epoch from r.rated_at) * 1000000)::bigint as place
    ${ratingsOf(db, listener, type)} ${after ? olderThan(db, after) : db``}
    ${newestFirst(db)} limit ${limit + 1}`
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    ratings: page.map((row) => toRatedSong(row, env)),
    next: last && `${last.place}-${last.songId}`,
  }
}

/** A cursor has microseconds since 1970 and the song. The first condition is covered by the index. */
function olderThan(db: Queryable, cursor: string) {
  const [place = '', song = ''] = cursor.split('-')
  const time = db`(timestamptz 'epoch' + ${place}::bigint * interval '1 microsecond')`
  return db`and r.rated_at <= ${time} and (r.rated_at, r.song_id) < (${time}, ${song}::bigint)`
}

/** A listener's number of ratings, from the listener's counters, which never lag. */
export async function countRatings(db: Database, listener: string): Promise<number> {
  const [row] = await db<{ total: number }[]>`
    select total_ratings as total from listener_stats where user_id = ${listener}`
  return row?.total ?? 0
}

/** A range of the list, and the total from the listener's counters, which never lag (library-16). */
export async function listRatingsRange(
  db: Database,
  env: Env,
  listener: string,
  type: Rating | undefined,
  { from, limit: most }: ItemRange,
): Promise<{ ratings: RatedSong[]; total: number }> {
  const counter = {
    all: db`total_ratings`,
    banger: db`total_bangers`,
    bust: db`total_ratings - total_bangers`,
  }[type ?? 'all']
  // Songs are joined only for this range, not for the rows before it.
  const rows = await db<(RatingRow & { total: number })[]>`
    select coalesce((select ${counter} from listener_stats where user_id = ${listener}), 0) as total, ${ratingColumns(db)}
    from (
      select * from ratings r ${whereRating(db, listener, type)} ${newestFirst(db)} limit ${most} offset ${from}
    ) r ${joinSong(db)} ${newestFirst(db)}`
  return { ratings: rows.map((row) => toRatedSong(row, env)), total: rows[0]?.total ?? 0 }
}

/** With more changes, the client reads the whole list. */
const MAX_CHANGES = 500

/**
 * Which ratings of a list have changed since a time, with the listener's counters. Null if that was too long ago, or if
 * too many have changed (library-17).
 */
export async function listRatingChanges(
  db: Database,
  env: Env,
  listener: string,
  since: Date,
): Promise<RatingChanges | null> {
  return db.begin('isolation level repeatable read read only', async (tx) => {
    const [changes] = await tx<{ isKnown: boolean; songs: string[] }[]>`
      select ${since}::timestamptz > now() - interval '7 days' as is_known, array(
        select r.song_id from ratings r
        where r.user_id = ${listener} and r.rated_at > '-infinity' and r.rated_at >= ${since}
        union
        select u.song_id from undone_ratings u
        where u.user_id = ${listener} and u.undone_at >= ${since}
        limit ${MAX_CHANGES + 1}
      ) as songs`
    if (!changes?.isKnown || changes.songs.length > MAX_CHANGES) return null
    const rows = await tx<RatingRow[]>`
      select ${ratingColumns(tx)} ${ratingsOf(tx, listener, undefined)} and r.song_id = any(${changes.songs}::bigint[])
      ${newestFirst(tx)}`
    const [totals] = await tx<{ totalBangers: number; totalRatings: number }[]>`
      select total_bangers, total_ratings from listener_stats where user_id = ${listener}`
    const ratings = rows.map((row) => toRatedSong(row, env))
    const rated = new Set(ratings.map(({ id }) => id))
    return {
      ratings,
      removed: changes.songs.filter((song) => !rated.has(song)),
      totalBangers: totals?.totalBangers ?? 0,
      totalRatings: totals?.totalRatings ?? 0,
    }
  })
}

type RatingRow = SongRow & { banger: boolean; ratedAt: Date }

const ratingColumns = (db: Queryable) => db`r.banger, r.rated_at, ${songColumns(db)}`

const ratingsOf = (db: Queryable, listener: string, type: Rating | undefined) => db`
  from ratings r ${joinSong(db)} ${whereRating(db, listener, type)}`

const joinSong = (db: Queryable) => db`
  join songs s on s.id = r.song_id
  join microgenres m on m.id = r.microgenre_id`

const whereRating = (db: Queryable, listener: string, type: Rating | undefined) => db`
  where r.user_id = ${listener} and r.rated_at > '-infinity' ${type ? db`and r.banger = ${type === 'banger'}` : db``}`

const newestFirst = (db: Queryable) => db`order by r.rated_at desc, r.song_id desc`

/** A song has one rating, so its id identifies the rating. */
const toRatedSong = (row: RatingRow, env: Env): RatedSong => ({
  id: row.songId,
  rating: row.banger ? 'banger' : 'bust',
  createdAt: row.ratedAt.toISOString(),
  song: toSong(row, env),
})

/**
 * Removes a rating, with `ratedAt` only one of this time; totals follow. With `undo` the rating that it replaced in an
 * earlier pass returns, at most once; without a time it removes one of the current pass.
 * @throws HttpError 404 when the listener has not rated the song and no time is given.
 */
export async function removeRating(
  db: Database,
  listener: string,
  songId: string,
  { undo, ratedAt = null }: { undo: boolean; ratedAt?: string | null },
): Promise<{ success: boolean }> {
  const [row] = await db<{ removed: boolean }[]>`
    select ${functions}.unrate_song(${listener}, ${songId}, ${undo}, ${ratedAt}) as removed`
  if (!row?.removed) throw new HttpError(404, 'You have not rated this song.')
  return { success: true }
}

/** Adds what a listener rated as a visitor (visitors-23). Returns how many of these ratings are new. */
export async function addPastRatings(
  db: Database,
  listener: string,
  ratings: readonly PastRating[],
): Promise<{ added: number }> {
  const [row] = await db<{ added: number }[]>`
    select ${functions}.add_ratings(${listener}::bigint, ${ratings.map(({ songId }) => songId)}::bigint[],
      ${ratings.map(({ rating }) => rating === 'banger')}::boolean[],
      ${ratings.map(({ ratedAt }) => ratedAt)}::timestamptz[]) as added`
  return { added: row?.added ?? 0 }
}

/** Pages ask for at most seven days (library-17). */
export const sweepUndoneRatings = (db: Database, signal?: AbortSignal): Promise<void> =>
  inBatches(
    signal,
    (rows) => db`
      delete from undone_ratings where (user_id, song_id) in (
        select user_id, song_id from undone_ratings where undone_at <= now() - interval '8 days'
        order by undone_at limit ${rows})`,
  )
