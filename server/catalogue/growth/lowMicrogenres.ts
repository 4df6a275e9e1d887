import type { Queryable } from '../../db/connection.ts'
import type { Genre } from './collectCandidates.ts'

/** A listener who has fewer songs left in a microgenre runs low there. */
const FEW_LEFT = 10

/** A microgenre with fewer songs is thin, whoever listens. */
const THIN = 25

/** Days after a listener's last rating. */
const RECENT = 7

/** Listeners per query. */
const LISTENERS = 500

/** The next listeners who rated lately, by id; none after the last one. */
export async function readListeners(db: Queryable, after: string): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select user_id from listener_last_days
    where user_id > ${after} and day > (now() at time zone 'UTC')::date - ${RECENT}::int
    order by user_id limit ${LISTENERS}`
  return rows.map(({ userId }) => userId)
}

/** Microgenres in which one of these listeners runs low. */
export async function findLow(db: Queryable, listeners: readonly string[]): Promise<Genre[]> {
  return db<Genre[]>`
    select m.id, m.name from microgenres m
    where m.retired_at is null and m.id in (
      select g.microgenre_id from listener_genres g join microgenres its on its.id = g.microgenre_id
      where g.user_id = any(${listeners as string[]}::bigint[])
        -- At least so many are left; only where these are few are they counted.
        and its.live_song_count - g.pass_position < ${FEW_LEFT}
        and cardinality(coming_cards_v1(g.user_id, g.microgenre_id, g.ahead || (
          select h.songs from listener_hands h
          where h.user_id = g.user_id and h.microgenre_id = g.microgenre_id and h.pass = g.pass), ${FEW_LEFT}))
        + (select count(*) from unrated_songs_v2(
          g.user_id, g.microgenre_id, g.pass_seed, g.pass_size, g.pass_position, ${FEW_LEFT})) < ${FEW_LEFT})
    order by m.live_song_count, m.id`
}

/** All microgenres that are thin or in which a listener runs low, the smallest first. */
export async function findAllLow(db: Queryable): Promise<Genre[]> {
  const low = new Set<string>()
  let after = '0'
  for (;;) {
    const listeners = await readListeners(db, after)
    const last = listeners.at(-1)
    if (last === undefined) break
    after = last
    for (const { id } of await findLow(db, listeners)) low.add(id)
  }
  return db<Genre[]>`
    select id, name from microgenres
    where retired_at is null and (live_song_count < ${THIN} or id = any(${[...low]}::bigint[]))
    order by live_song_count, id`
}
