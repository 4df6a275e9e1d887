import { PREFETCH_SIZE } from '../../contract/discovery.ts'
import { getCommunityStats, listMicrogenreStats, listTrending } from '../../server/community/totals.ts'
import type { Database } from '../../server/db/connection.ts'
import { listNextSongs } from '../../server/discovery/dealtSongs.ts'
import { listMicrogenres, restartMicrogenre } from '../../server/discovery/microgenres.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { readEnv } from '../../server/env.ts'
import {
  listRatingChanges,
  listRatings,
  listRatingsPage,
  listRatingsRange,
} from '../../server/library/ratings.ts'
import { listPublicUsers } from '../../server/profiles/listPublicUsers.ts'
import { getProfile } from '../../server/profiles/profile.ts'
import { getDailyStats, getStats } from '../../server/profiles/stats.ts'
import { searchCatalogue } from '../../server/suggestions/catalogueSongs.ts'
import { makeListener, writeRatings } from '../../tests/factories.ts'

/** A new listener who goes through the microgenres, and one with 100 ratings, in one database. */
export interface Guest {
  db: Database
  newcomer: string
  regular: string
  /** With at least 50 songs. */
  microgenres: string[]
  /** The new listener's position. */
  microgenre: number
  song: string | null
  /** Texts to search for. */
  texts: { title: string; artist: string; firstName: string; lastName: string }[]
  searches: number
}

/** A listener with very many ratings, who is both guests in one. */
export interface LongListener extends Guest {
  ratings: number
  /** The time of the newest rating that a page has. */
  lastSyncedAt: Date
  /** The cursor of a page with the oldest ratings. */
  oldest: string
}

/** Texts of a guest. */
const TEXT_COUNT = 20

/** Items of a page of My Library, and ratings that a page does not have yet. */
const PAGE = 20
const NEW_RATINGS = 20

/** Seconds between two ratings of a listener with very many: fifty thousand take a year. */
const SECONDS_BETWEEN_RATINGS = 600

const env = readEnv({})

/** Every call whose cost should not grow, as the server makes it. */
export const calls = {
  'next song': ({ db, newcomer, microgenres, microgenre }) =>
    listNextSongs(db, env, newcomer, microgenres[microgenre] ?? '', 1),
  'next songs ahead': ({ db, newcomer, microgenres, microgenre }) =>
    listNextSongs(db, env, newcomer, microgenres[microgenre] ?? '', PREFETCH_SIZE),
  'restart, with the first song': async ({ db, newcomer, microgenres, microgenre }) => {
    // Not a microgenre in which they rate.
    const other = microgenres[(microgenre + microgenres.length / 2) % microgenres.length] ?? ''
    await restartMicrogenre(db, newcomer, other)
    await listNextSongs(db, env, newcomer, other, 1)
  },
  'rating, with the next song': rateOn,
  'community: figures': ({ db }) => getCommunityStats(db),
  'community: trending': ({ db }) => listTrending(db, env),
  'community: microgenres': ({ db }) => listMicrogenreStats(db),
  'microgenres of the home screen': ({ db, regular }) => listMicrogenres(db, regular),
  'profile: figures': async ({ db, newcomer, regular }) => {
    await getProfile(db, newcomer, regular)
    await getStats(db, regular)
    await getDailyStats(db, regular, 'Europe/Berlin')
  },
  'profile: bangers': ({ db, regular }) => listRatings(db, env, regular, 'banger'),
  'people to discover': ({ db, regular }) => listPublicUsers(db, regular, { limit: 20 }),
  'people found by a first name': (guest) => searchPeople(guest, ({ firstName }) => firstName),
  'people found by a whole name': (guest) =>
    searchPeople(guest, ({ firstName, lastName }) => `${firstName} ${lastName}`),
  'people that nobody is called': (guest) => searchPeople(guest, ({ firstName }) => `qx${firstName}`),
  'songs found by a word': (guest) => searchSongs(guest, ({ title }) => title.split(' ').slice(0, 1)),
  'songs found by title and artist': (guest) =>
    searchSongs(guest, ({ title, artist }) => `${title} ${artist}`.split(' ')),
  'songs that nobody has made': (guest) => searchSongs(guest, ({ artist }) => [`qx${artist}`]),
} satisfies Record<string, (guest: Guest) => Promise<unknown>>

/** The calls whose cost should not grow with a listener's own ratings. */
export const longCalls: Record<string, (listener: LongListener) => Promise<unknown>> = {
  'microgenres of the home screen': calls['microgenres of the home screen'],
  'first page of the ratings': ({ db, regular }) =>
    listRatingsRange(db, env, regular, undefined, { from: 0, limit: PAGE }),
  'last page of the ratings': ({ db, regular, ratings }) =>
    listRatingsRange(db, env, regular, undefined, { from: ratings - PAGE, limit: PAGE }),
  'a page of the oldest ratings, by cursor': ({ db, regular, oldest }) =>
    listRatingsPage(db, env, regular, { type: undefined, limit: PAGE, after: oldest }),
  'first page of the bangers': ({ db, regular }) =>
    listRatingsRange(db, env, regular, 'banger', { from: 0, limit: PAGE }),
  'changes of the ratings': ({ db, regular, lastSyncedAt }) =>
    listRatingChanges(db, env, regular, lastSyncedAt),
  'next song': calls['next song'],
  'next songs ahead': calls['next songs ahead'],
  'rating, with the next song': calls['rating, with the next song'],
  'profile: figures': calls['profile: figures'],
}

type Text = Guest['texts'][number]

const searchPeople = (guest: Guest, of: (text: Text) => string) =>
  listPublicUsers(guest.db, guest.regular, { search: of(nextText(guest)), limit: 20 })

/** The songs of the catalogue: no call may depend on Deezer. */
const searchSongs = (guest: Guest, of: (text: Text) => string[]) =>
  searchCatalogue(guest.db, env, of(nextText(guest)), 4)

function nextText(guest: Guest): Text {
  const text = guest.texts[guest.searches++ % guest.texts.length]
  if (!text) throw new Error('There are no texts to search for.')
  return text
}

/** Rates the new listener's song; after 50 songs of a microgenre, whatever its size, they move to the next one. */
async function rateOn(guest: Guest): Promise<void> {
  const microgenreId = guest.microgenres[guest.microgenre] ?? ''
  guest.song ??= (await listNextSongs(guest.db, env, guest.newcomer, microgenreId, 1))[0]?.id ?? ''
  const body = { microgenreId, songId: guest.song, rating: 'banger' as const }
  const { nextSong } = await rateSong(guest.db, env, guest.newcomer, body)
  guest.song = nextSong?.id ?? null
}

export async function inviteGuest(db: Database): Promise<Guest> {
  const [regular] = await db<{ id: string }[]>`
    select id from users where email like 'growth-%' and is_public order by id offset 20 limit 1`
  const genres = await db<{ id: string }[]>`select id from microgenres where key like 'growth-%' order by id`
  return {
    db,
    newcomer: await makeListener(db),
    regular: regular?.id ?? '',
    microgenres: genres.map(({ id }) => id),
    microgenre: 0,
    song: null,
    texts: await readTexts(db),
    searches: 0,
  }
}

/** Existing names and titles, chosen at random. */
async function readTexts(db: Database): Promise<Text[]> {
  const people = await db<{ firstName: string; lastName: string }[]>`
    select coalesce(first_name, '') as first_name, coalesce(last_name, '') as last_name from users
    where email like 'growth-%' and is_public order by random() limit ${TEXT_COUNT}`
  const songs = await db<{ title: string; artist: string }[]>`
    select title, artist from songs where key like 'growth/%' order by random() limit ${TEXT_COUNT}`
  return people.map((person, n) => ({ ...person, title: '', artist: '', ...songs[n] }))
}

/** `db` is a connection without a timeout. The ratings are of songs of all microgenres, in equal distances. */
export async function writeLongListener(db: Database, ratings: number): Promise<string> {
  const listener = await makeListener(db)
  const rows = await db<{ id: string }[]>`
    select id from (
      select id, row_number() over (order by id) - 1 as place, count(*) over () as songs
      from songs where key like 'growth/%'
    ) s where place % (songs / ${ratings}::int) = 0 order by id limit ${ratings}`
  // Neighbours in the order of listening are far apart.
  const songs = rows.map((_, n) => rows[(n * 48_271) % rows.length]?.id ?? '')
  await writeRatings(db, listener, songs, (index) => index % 5 < 2, SECONDS_BETWEEN_RATINGS)
  return listener
}

export async function inviteLongListener(db: Database, listener: string): Promise<LongListener> {
  const [state] = await db<Pick<LongListener, 'ratings' | 'lastSyncedAt'>[]>`
    select s.total_ratings as ratings, coalesce((
      select rated_at from ratings where user_id = s.user_id and rated_at > '-infinity'
      order by rated_at desc offset ${NEW_RATINGS} limit 1), now()) as last_synced_at
    from listener_stats s where s.user_id = ${listener}`
  if (!state) throw new Error('The listener is not there.')
  return {
    ...(await inviteGuest(db)),
    newcomer: listener,
    regular: listener,
    ...state,
    oldest: await findOldest(db, listener),
  }
}

/** Found page by page, as by a program that reads the whole list. */
async function findOldest(db: Database, listener: string): Promise<string> {
  let after: string | undefined
  for (;;) {
    const { next } = await listRatingsPage(db, env, listener, { type: undefined, limit: 500, after })
    if (!next) return after ?? ''
    after = next
  }
}
