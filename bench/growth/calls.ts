import { PREFETCH_SIZE } from '../../contract/discovery.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { getCommunityStats, listMicrogenreStats, listTrending } from '../../server/community/totals.ts'
import type { Database } from '../../server/db/connection.ts'
import { listMicrogenres, restartMicrogenre } from '../../server/discovery/microgenres.ts'
import { nextSongs } from '../../server/discovery/nextSongs.ts'
import { rateSong } from '../../server/discovery/rateSong.ts'
import { readEnv } from '../../server/env.ts'
import { listRatings } from '../../server/library/ratings.ts'
import { listPublicUsers } from '../../server/profiles/listPublicUsers.ts'
import { getProfile } from '../../server/profiles/profile.ts'
import { getDailyStats, getStats } from '../../server/profiles/stats.ts'
import { searchKnown } from '../../server/suggestions/knownSongs.ts'

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
  /** Texts to search for, in turns. */
  texts: { title: string; artist: string; firstName: string; lastName: string }[]
  searches: number
}

/** Texts of a guest. */
const TEXTS = 20

export const env = readEnv({})

/** Every call whose cost should not grow, as the server makes it. */
export const calls: Record<string, (guest: Guest) => Promise<unknown>> = {
  'next song': ({ db, newcomer, microgenres, microgenre }) =>
    nextSongs(db, env, newcomer, microgenres[microgenre] ?? '', 1),
  'next songs ahead': ({ db, newcomer, microgenres, microgenre }) =>
    nextSongs(db, env, newcomer, microgenres[microgenre] ?? '', PREFETCH_SIZE),
  'restart, with the first song': async ({ db, newcomer, microgenres, microgenre }) => {
    // Not one in which they rate.
    const other = microgenres[(microgenre + microgenres.length / 2) % microgenres.length] ?? ''
    await restartMicrogenre(db, newcomer, other)
    await nextSongs(db, env, newcomer, other, 1)
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
}

type Text = Guest['texts'][number]

const searchPeople = (guest: Guest, of: (text: Text) => string) =>
  listPublicUsers(guest.db, guest.regular, { search: of(nextText(guest)), limit: 20 })

/** The songs of the catalogue: no call may depend on Deezer. */
const searchSongs = (guest: Guest, of: (text: Text) => string[]) =>
  searchKnown(guest.db, env, of(nextText(guest)), 4)

function nextText(guest: Guest): Text {
  const text = guest.texts[guest.searches++ % guest.texts.length]
  if (!text) throw new Error('There are no texts to search for.')
  return text
}

/** Rates the new listener's song; after 50 songs of a microgenre, whatever its size, they move to the next one. */
async function rateOn(guest: Guest): Promise<void> {
  const microgenreId = guest.microgenres[guest.microgenre] ?? ''
  guest.song ??= (await nextSongs(guest.db, env, guest.newcomer, microgenreId, 1))[0]?.id ?? ''
  const body = { microgenreId, songId: guest.song, rating: 'banger' as const }
  const { nextSong } = await rateSong(guest.db, env, guest.newcomer, body)
  guest.song = nextSong?.id ?? null
}

export async function inviteGuest(db: Database): Promise<Guest> {
  const [made] = await db<{ id: string }[]>`
    with made as (insert into users (email) values (gen_random_uuid() || '@example.test') returning id)
    insert into listener_stats (user_id) select id from made returning user_id as id`
  const [regular] = await db<{ id: string }[]>`
    select id from users where email like 'growth-%' and is_public order by id offset 20 limit 1`
  const genres = await db<{ id: string }[]>`select id from microgenres where key like 'growth-%' order by id`
  return {
    db,
    newcomer: made?.id ?? '',
    regular: regular?.id ?? '',
    microgenres: genres.map(({ id }) => id),
    microgenre: 0,
    song: null,
    texts: await readTexts(db),
    searches: 0,
  }
}

/** Names and titles that are there, at random places. */
async function readTexts(db: Database): Promise<Text[]> {
  const people = await db<{ firstName: string; lastName: string }[]>`
    select coalesce(first_name, '') as first_name, coalesce(last_name, '') as last_name from users
    where email like 'growth-%' and is_public order by random() limit ${TEXTS}`
  const songs = await db<{ title: string; artist: string }[]>`
    select title, artist from songs where key like 'growth/%' order by random() limit ${TEXTS}`
  return people.map((person, n) => ({ ...person, title: '', artist: '', ...songs[n] }))
}

/** Milliseconds per thousand queued changes; no goal, because no listener waits for it. */
export async function timeRollUp(db: Database): Promise<number> {
  const [waiting] = await db<{ changes: number }[]>`select count(*)::int as changes from rating_changes`
  const started = performance.now()
  await rollUp(db)
  return ((performance.now() - started) / Math.max(1, waiting?.changes ?? 0)) * 1000
}
