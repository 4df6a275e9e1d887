import { getCurrentUser } from '../../contract/auth.ts'
import { getNextSong, listMicrogenres } from '../../contract/discovery.ts'
import { listRatingChanges, listRatings } from '../../contract/library.ts'
import { getMyStats, listPublicUsers } from '../../contract/profiles.ts'
import { createSession } from '../../server/auth/sessions.ts'
import type { Database } from '../../server/db/connection.ts'
import { restartMicrogenre } from '../../server/discovery/microgenres.ts'
import { nextSongs } from '../../server/discovery/nextSongs.ts'
import { readEnv } from '../../server/env.ts'
import { type MadeMicrogenre, makeListener, makeMicrogenre, writeRatings } from '../../tests/factories.ts'
import { pathOf } from '../../tests/harness/visitor.ts'
import { setting } from '../measure/goals.ts'
import { makeWords, pick } from '../measure/words.ts'
import { createListeners, type SongRange } from './listeners.ts'

/** Their shares are argued for in README.md. */
const NEWCOMERS = 96
const LONG = 58
const RETURNING = 38

/** Ratings of a long-standing listener, in that many microgenres, half of whose songs they have rated. */
const OWN_RATINGS = setting('BENCH_OWN_RATINGS', 10_000)
const OWN_MICROGENRES = 20

/** Songs of the microgenre that returning listeners rate again. */
const SECOND_PASS = 1000

/** Public listeners, who can be found. */
const PEOPLE = 20_000

/** How often a page is opened in 20 sessions of 20 ratings. */
const OPENED = { start: 20, changes: 20, library: 10, stats: 5, people: 4 }
const RATINGS_OF_THEM = 400

/** Pages for each rating. */
export const PAGES_PER_RATING =
  (3 * OPENED.start + OPENED.changes + OPENED.library + OPENED.stats + OPENED.people) / RATINGS_OF_THEM

export interface Population {
  /** New callers of a phase, as lines of population.lua: those that rate, and those that open pages. */
  callers(): Promise<{ ratings: string[]; pages: string[] }>
}

const env = readEnv({})

/** Newcomers, listeners with very many ratings, and listeners in their second pass of a microgenre. */
export async function createPopulation(db: Database, songs: SongRange): Promise<Population> {
  const fresh = String(songs.microgenreId)
  const own = await Promise.all(
    Array.from({ length: OWN_MICROGENRES }, () => makeMicrogenre(db, (2 * OWN_RATINGS) / OWN_MICROGENRES)),
  )
  const rated = own.flatMap((genre) => genre.songs.slice(0, genre.songs.length / 2))
  const second = await makeMicrogenre(db, SECOND_PASS)
  const long = await makeListeners(db, LONG, rated)
  const returning = await makeListeners(db, RETURNING, second.songs)
  const names = await makePeople(db)
  await db`analyze`
  return {
    async callers() {
      const newcomers = await createListeners(db, songs, NEWCOMERS)
      const lines = newcomers.sessions.map((session) => lineOf(session, fresh, String(songs.firstSong)))
      for (const [n, listener] of long.entries()) lines.push(await startIn(db, listener, atPlace(own, n).id))
      for (const listener of returning) {
        await restartMicrogenre(db, listener, second.id)
        lines.push(await startIn(db, listener, second.id))
      }
      return { ratings: mixed(lines), pages: await pagesOf(db, [...long, ...returning], second, names) }
    },
  }
}

async function makeListeners(db: Database, count: number, songs: readonly string[]): Promise<string[]> {
  const listeners: string[] = []
  for (let n = 0; n < count; n++) {
    const listener = await makeListener(db)
    await writeRatings(db, listener, songs, (index) => (index + n) % 5 < 2, 600)
    listeners.push(listener)
  }
  return listeners
}

/** Returns some of their names, the frequent ones more often. */
async function makePeople(db: Database): Promise<string[]> {
  const words = makeWords(4000, 2)
  const rows = await db<{ name: string }[]>`
    insert into users (email, first_name, last_name, is_public, follower_count)
    select 'public-' || n || '@example.test', initcap(${pick(db, words)}), initcap(${pick(db, words)}), true, n % 17
    from generate_series(1, ${PEOPLE}::int) n returning coalesce(first_name, '') as name`
  return rows.slice(0, 200).map(({ name }) => name)
}

/** A caller that rates, from the song that the server names. */
async function startIn(db: Database, listener: string, microgenreId: string): Promise<string> {
  const [song] = await nextSongs(db, env, listener, microgenreId, 1)
  if (!song) throw new Error('A listener has no song to rate.')
  return lineOf(await sessionOf(db, listener), microgenreId, song.id)
}

const lineOf = (session: string, microgenreId: string, song: string) =>
  [`session=${session}`, '', microgenreId, song].join('\t')

async function sessionOf(db: Database, listener: string): Promise<string> {
  return (await createSession(db, listener, null)) ?? ''
}

/** Pages of long-standing and returning listeners, whose are the expensive ones. */
async function pagesOf(
  db: Database,
  listeners: readonly string[],
  { id }: MadeMicrogenre,
  names: readonly string[],
): Promise<string[]> {
  const sessions: string[] = []
  for (const listener of listeners) sessions.push(await sessionOf(db, listener))
  const since = new Date().toISOString()
  const pages: [times: number, path: string, range?: string][] = [
    [OPENED.start, pathOf(getCurrentUser)],
    [OPENED.start, pathOf(listMicrogenres)],
    [OPENED.start, pathOf(getNextSong, { params: { id }, query: { prefetch: 'true' } })],
    [OPENED.changes, pathOf(listRatingChanges, { query: { since } })],
    [OPENED.library, pathOf(listRatings, { query: { type: 'banger' } }), 'items=0-19'],
    [OPENED.stats, pathOf(getMyStats)],
  ]
  const opened = pages.flatMap(([times, path, range = '']) =>
    Array.from({ length: times }, () => [path, range]),
  )
  for (let n = 0; n < OPENED.people; n++)
    opened.push([pathOf(listPublicUsers, { query: { search: atPlace(names, n * 37) } }), ''])
  const lines = sessions.flatMap((session) =>
    opened.map(([path = '', range = '']) => [`session=${session}`, path, range, ''].join('\t')),
  )
  return mixed(lines)
}

/** Neighbours are far apart, so that each connection has callers of every kind. */
function mixed(lines: readonly string[]): string[] {
  return lines
    .map((line, n) => ({ line, place: (n * 48_271) % 65_537 }))
    .sort((a, b) => a.place - b.place)
    .map(({ line }) => line)
}

function atPlace<Item>(items: readonly Item[], n: number): Item {
  const item = items[n % items.length]
  if (item === undefined) throw new Error('An empty list.')
  return item
}
