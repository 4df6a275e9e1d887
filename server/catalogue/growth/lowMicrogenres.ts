import type { Queryable } from '../../db/connection.ts'
import { functions } from '../../db/functions.ts'
import type { MicrogenreRef } from './collectCandidates.ts'

/** A listener with fewer songs left runs low. */
const MIN_SONGS_LEFT = 10

/** A microgenre with fewer songs is thin, whoever listens. */
const MIN_SONGS = 25

/** Days after a listener's last rating. */
const RECENT_DAYS = 7

/** Listeners per query. */
const LISTENERS_PER_QUERY = 500

/** The next listeners who rated lately, by id; none after the last one. */
export async function readRecentListeners(db: Queryable, after: string): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select user_id from listener_last_days
    where user_id > ${after} and day > (now() at time zone 'UTC')::date - ${RECENT_DAYS}::int
    order by user_id limit ${LISTENERS_PER_QUERY}`
  return rows.map(({ userId }) => userId)
}

/** Microgenres in which one of these listeners runs low, the smallest first. */
export async function findLowMicrogenres(
  db: Queryable,
  listeners: readonly string[],
): Promise<MicrogenreRef[]> {
  // A lower bound of the songs left; only where it is low are they counted.
  const near = await db<{ userId: string; microgenreId: string }[]>`
    select g.user_id, g.microgenre_id from listener_genres g join microgenres m on m.id = g.microgenre_id
    where g.user_id = any(${listeners as string[]}::bigint[]) and m.retired_at is null
      and m.live_song_count - g.pass_position < ${MIN_SONGS_LEFT}`
  const low = await db<{ id: string }[]>`
    select distinct near.id
    from unnest(
      ${near.map(({ userId }) => userId)}::bigint[], ${near.map(({ microgenreId }) => microgenreId)}::bigint[]
    ) as near (listener, id)
    where near.id is not null and ${functions}.songs_left(near.listener, near.id, ${MIN_SONGS_LEFT}) < ${MIN_SONGS_LEFT}`
  return db<MicrogenreRef[]>`
    select id, name from microgenres where id = any(${low.map(({ id }) => id)}::bigint[])
    order by live_song_count, id`
}

/** All microgenres that are thin or in which a listener runs low, the smallest first. */
export async function findAllLowMicrogenres(db: Queryable): Promise<MicrogenreRef[]> {
  const low = new Set<string>()
  let after = '0'
  for (;;) {
    const listeners = await readRecentListeners(db, after)
    const last = listeners.at(-1)
    if (last === undefined) break
    after = last
    for (const { id } of await findLowMicrogenres(db, listeners)) low.add(id)
  }
  return db<MicrogenreRef[]>`
    select id, name from microgenres
    where retired_at is null and (live_song_count < ${MIN_SONGS} or id = any(${[...low]}::bigint[]))
    order by live_song_count, id`
}
