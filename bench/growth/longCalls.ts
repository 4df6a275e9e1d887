import type { Database } from '../../server/db/connection.ts'
import { listPage, listRatingChanges, listSomeRatings } from '../../server/library/ratings.ts'
import { makeListener, writeRatings } from '../../tests/factories.ts'
import { calls, env, type Guest, inviteGuest } from './calls.ts'

/** Items of a page of My Library, and the ratings that a page does not know yet. */
const PAGE = 20
const UNKNOWN = 20

/** Seconds between two ratings of such a listener: fifty thousand take a year. */
const APART = 600

/** A listener with very many ratings, who is both guests in one. */
export interface LongListener extends Guest {
  ratings: number
  /** The time of the rating that a page knows last. */
  known: Date
  /** The cursor of a page with the oldest ratings. */
  oldest: string
}

/** The calls whose cost should not grow with a listener's own ratings. */
export const longCalls: Record<string, (listener: LongListener) => Promise<unknown>> = {
  'microgenres of the home screen': (listener) => call('microgenres of the home screen', listener),
  'first page of the ratings': ({ db, regular }) =>
    listSomeRatings(db, env, regular, undefined, { from: 0, most: PAGE }),
  'last page of the ratings': ({ db, regular, ratings }) =>
    listSomeRatings(db, env, regular, undefined, { from: ratings - PAGE, most: PAGE }),
  'a page of the oldest ratings, by cursor': ({ db, regular, oldest }) =>
    listPage(db, env, regular, { type: undefined, limit: PAGE, after: oldest }),
  'first page of the bangers': ({ db, regular }) =>
    listSomeRatings(db, env, regular, 'banger', { from: 0, most: PAGE }),
  'changes of the ratings': ({ db, regular, known }) => listRatingChanges(db, env, regular, known),
  'next song': (listener) => call('next song', listener),
  'next songs ahead': (listener) => call('next songs ahead', listener),
  'rating, with the next song': (listener) => call('rating, with the next song', listener),
  'profile: figures': (listener) => call('profile: figures', listener),
}

async function call(name: string, listener: LongListener): Promise<void> {
  const made = calls[name]
  if (!made) throw new Error(`There is no call '${name}'.`)
  await made(listener)
}

/** `db` is a connection without a timeout. The ratings are of songs of all microgenres, in equal distances. */
export async function writeLongListener(db: Database, ratings: number): Promise<string> {
  const listener = await makeListener(db)
  const rows = await db<{ id: string }[]>`
    select id from (
      select id, row_number() over (order by id) - 1 as place, count(*) over () as songs
      from songs where key like 'growth/%'
    ) s where place % (songs / ${ratings}::int) = 0 order by id limit ${ratings}`
  // In the order of listening, neighbours are far apart.
  const songs = rows.map((_, n) => rows[(n * 48_271) % rows.length]?.id ?? '')
  await writeRatings(db, listener, songs, (index) => index % 5 < 2, APART)
  return listener
}

export async function inviteLongListener(db: Database, listener: string): Promise<LongListener> {
  const [about] = await db<Pick<LongListener, 'ratings' | 'known'>[]>`
    select s.total_ratings as ratings, coalesce((
      select rated_at from ratings where user_id = s.user_id and rated_at > '-infinity'
      order by rated_at desc offset ${UNKNOWN} limit 1), now()) as known
    from listener_stats s where s.user_id = ${listener}`
  if (!about) throw new Error('The listener is not there.')
  return {
    ...(await inviteGuest(db)),
    newcomer: listener,
    regular: listener,
    ...about,
    oldest: await findOldest(db, listener),
  }
}

/** Found page by page, as by a program that reads the whole list. */
async function findOldest(db: Database, listener: string): Promise<string> {
  let after: string | undefined
  for (;;) {
    const { next } = await listPage(db, env, listener, { type: undefined, limit: 500, after })
    if (!next) return after ?? ''
    after = next
  }
}
