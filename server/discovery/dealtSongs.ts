import { DEALT_REASONS, type OfferedSong } from '../../contract/discovery.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { functions } from '../db/functions.ts'
import type { Env } from '../env.ts'
import { HttpError, signInRequired } from '../http/HttpError.ts'
import { type NextRow, offeredColumns, type SongRow, toNext, toOffered } from './song.ts'

/**
 * Up to `limit` next songs of the pass, in its order (discover-19, discover-43). The result stays the same until one
 * is rated or deferred. Empty when the pass is complete or the microgenre has no songs.
 * @throws HttpError 404 for an unknown microgenre.
 */
export async function listNextSongs(
  db: Queryable,
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

async function requireMicrogenre(db: Queryable, id: string): Promise<void> {
  const [row] = await db`select from microgenres where id = ${id}`
  if (!row) throw new HttpError(404, 'There is no such microgenre.')
}

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
  const [row] = await db<({ saidAt: string | null } & NextRow)[]>`
    select deferred.said_at, deferred.put_off as next_put_off, deferred.reason as next_reason,
      ${offeredColumns(db, db`deferred`)}
    from ${functions}.defer_song(${listener}::bigint, ${microgenreId}::bigint, ${songId}::bigint, ${again}::boolean)
      as deferred`
  if (!row) throw await explainRefusal(db, microgenreId, songId)
  return { ...toNext(row, env), saidAt: row.saidAt }
}

/** Why a song can be neither rated nor deferred in this microgenre. */
export async function explainRefusal(
  db: Queryable,
  microgenreId: string,
  songId: string,
): Promise<HttpError> {
  const [song] = await db<{ microgenreId: string }[]>`select microgenre_id from songs where id = ${songId}`
  if (!song) return new HttpError(404, 'There is no such song.')
  return song.microgenreId === microgenreId
    ? signInRequired()
    : new HttpError(400, 'This song belongs to another microgenre.')
}

/** @throws HttpError 404 for an unknown song. */
export async function undoDefer(
  db: Database,
  listener: string,
  songId: string,
  saidAt: string,
): Promise<{ success: boolean }> {
  const [row] = await db<{ known: boolean }[]>`
    select ${functions}.undo_defer(${listener}, ${songId}, ${saidAt}) as known`
  if (!row?.known) throw new HttpError(404, 'There is no such song.')
  return { success: true }
}

/**
 * Lets the songs to come lean towards this one, or no longer (discover-91). Idempotent.
 * @throws HttpError 404 for an unknown song, 409 for one that nothing can lean towards.
 */
export async function leanTowards(
  db: Database,
  listener: string,
  songId: string,
  wanted: boolean,
): Promise<{ success: boolean }> {
  const [row] = await db<{ leans: boolean | null }[]>`
    select ${functions}.lean_towards(${listener}, ${songId}, ${wanted}) as leans`
  if (typeof row?.leans !== 'boolean') throw new HttpError(404, 'There is no such song.')
  if (!row.leans) throw new HttpError(409, 'The next songs cannot lean towards this one.')
  return { success: true }
}

interface Banger {
  title: string
  artist: string
}

/** Only this many of the listener's newest bangers are searched. */
const MAX_SEARCHED_BANGERS = 1000

const TASTE_REASON = DEALT_REASONS.indexOf('taste') + 1
const MORE_LIKE_REASON = DEALT_REASONS.indexOf('more-like') + 1

/**
 * The listener's bangers, two at most, that best explain why a song was dealt by taste: those whose traits have the
 * greatest product with the song's (discover-65). Only ratings that the taste was learned from count.
 * @throws HttpError 404 for an unknown song.
 */
export async function explainSong(
  db: Database,
  listener: string,
  song: string,
): Promise<{ bangers: Banger[]; moreLike: Banger | null }> {
  const [moreLike = null] = await db<Banger[]>`
    select l.title, l.artist from songs s
    join listener_genres g on g.user_id = ${listener} and g.microgenre_id = s.microgenre_id
    join songs l on l.id = g.lean_song_id
    where s.id = ${song} and g.ahead_reasons[array_position(g.ahead, s.id)] = ${MORE_LIKE_REASON}`
  if (moreLike) return { bangers: [], moreLike }
  const bangers = await db<Banger[]>`
    select b.title, b.artist
    from listener_stats u
    join song_traits q on q.run = u.taste_run and q.song_id = ${song}
    cross join (
      select r.song_id from ratings r
      where r.user_id = ${listener} and r.rated_at > '-infinity' and r.banger and r.song_id <> ${song}
        and r.heard_source is not null and r.dealt_reason is not null
      order by r.rated_at desc limit ${MAX_SEARCHED_BANGERS}
    ) r
    join song_traits t on t.run = u.taste_run and t.song_id = r.song_id
    join songs b on b.id = r.song_id
    where u.user_id = ${listener} and t.t1 * q.t1 + t.t2 * q.t2 + t.t3 * q.t3 + t.t4 * q.t4 > 0 and (
      exists (
        select from listener_genres g join songs s on s.microgenre_id = g.microgenre_id
        where g.user_id = ${listener} and s.id = ${song} and g.ahead_reasons[array_position(g.ahead, s.id)] = ${TASTE_REASON}
      ) or exists (
        select from ratings d where d.user_id = ${listener} and d.song_id = ${song} and d.dealt_reason = ${TASTE_REASON}
      )
    )
    order by t.t1 * q.t1 + t.t2 * q.t2 + t.t3 * q.t3 + t.t4 * q.t4 desc, b.id limit 2`
  if (bangers.length === 0) {
    const [known] = await db`select from songs where id = ${song}`
    if (!known) throw new HttpError(404, 'There is no such song.')
  }
  return { bangers, moreLike }
}
