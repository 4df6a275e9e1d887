import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/connection.ts'
import { functions } from '../../db/functions.ts'
import type { Integrations } from '../../integrations/integrations.ts'
import type { MicrogenreRef } from './collectCandidates.ts'
import { createGrow, type Grow } from './growMicrogenre.ts'

const MAX_NEW_SONGS = 20

/** Per call, which then takes an hour or two: the others come with the listeners' next turn. */
const MAX_MICROGENRES = 20

/** An unanswered question waits for the microgenre's next attempt. */
const NO_RETRY = { pause: 0, tries: 1 }

/** Minutes until a microgenre is tried again: after a failure, and when nothing more was found. */
const RETRY_MINUTES = { failed: 10, exhausted: 24 * 60 }

type GrowthContext = Pick<Context, 'db' | 'env' | 'log'> & {
  integrations: Pick<Integrations, 'listenbrainz' | 'musicbrainz'>
}

/**
 * Checks the next listeners after `after`, and grows the microgenres in which one of them runs low (catalogue-16).
 * Returns the last one; '0' when there are no more.
 */
export async function growWhereLow(
  context: GrowthContext,
  after: string,
  signal: AbortSignal,
): Promise<string> {
  const { db, env, integrations } = context
  const listeners = await readRecentListeners(db, after)
  const grow = createGrow(db, env, integrations, { limit: MAX_NEW_SONGS, signal, retry: NO_RETRY })
  let claimed = 0
  for (const genre of await findLowMicrogenres(db, listeners)) {
    if (signal.aborted || claimed === MAX_MICROGENRES) break
    if (!(await claimMicrogenre(db, genre))) continue
    claimed++
    await growAndSchedule(context, grow, genre, signal)
  }
  return listeners.at(-1) ?? '0'
}

/** Returns a function whose calls check all listeners in turn. */
export function createGrowth(context: GrowthContext): (signal: AbortSignal) => Promise<void> {
  let after = '0'
  return async (signal) => {
    after = await growWhereLow(context, after, signal)
  }
}

async function growAndSchedule(
  { db, log }: GrowthContext,
  grow: Grow,
  genre: MicrogenreRef,
  signal: AbortSignal,
): Promise<void> {
  try {
    const grown = await grow(genre)
    if (grown.added > 0) {
      log.info({ microgenre: genre.name, ...grown }, 'a microgenre has grown')
      await scheduleNextGrowth(db, genre, 0)
    } else if (grown.isAnswered) await scheduleNextGrowth(db, genre, RETRY_MINUTES.exhausted)
  } catch (error) {
    if (signal.aborted) await scheduleNextGrowth(db, genre, 0)
    throw error
  }
}

/** Claims a microgenre for this process. Schedules the next attempt first, in case the process is killed. */
async function claimMicrogenre(db: Queryable, { id }: MicrogenreRef): Promise<boolean> {
  const claimed = await db`
    insert into microgenre_growth as g (microgenre_id, next_at)
    values (${id}, now() + ${RETRY_MINUTES.failed} * interval '1 minute')
    on conflict (microgenre_id) do update set next_at = excluded.next_at where g.next_at <= now()`
  return claimed.count === 1
}

async function scheduleNextGrowth(db: Queryable, { id }: MicrogenreRef, minutes: number): Promise<void> {
  await db`
    update microgenre_growth set next_at = now() + ${minutes} * interval '1 minute' where microgenre_id = ${id}`
}

/** A listener with fewer songs left runs low. */
const MIN_SONGS_LEFT = 10

/** A microgenre with fewer songs is thin, even without listeners. */
const MIN_SONGS = 25

const RECENT_DAYS = 7

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
