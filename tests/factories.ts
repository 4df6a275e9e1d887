import { getNextSong, type OfferedSong, rateAndAdvance } from '../contract/discovery.ts'
import type { Rating, Song } from '../contract/shapes.ts'
import type { Database } from '../server/db/connection.ts'
import type { Visitor } from './harness/visitor.ts'

export interface MadeMicrogenre {
  id: string
  name: string
  /** Ids of its songs, in the order they were added. */
  songs: string[]
}

let createdMicrogenres = 0

/** A microgenre with `songs` songs, which loading the starter catalogue does not change. */
export async function makeMicrogenre(db: Database, songs: number): Promise<MadeMicrogenre> {
  const number = String(++createdMicrogenres).padStart(4, '0')
  const name = `Made ${number}`
  const [genre] = await db<{ id: string }[]>`
    insert into microgenres (key, name, family, description, color, energy, vocals, familiarity, mood,
      song_count, live_song_count)
    values (${`made-${number}`}, ${name}, 'Made', 'One sentence. Another one.', '#778899',
      '{slow}', '{vocal}', '{indie}', '{ambient}', ${songs}, ${songs})
    returning id`
  if (!genre) throw new Error('An insert gave no row.')
  const rows = await db<{ id: string }[]>`
    insert into songs (key, source, microgenre_id, seq, title, artist)
    select ${`made-${number}-`} || i, 'import', ${genre.id}, i, 'Song ' || i, 'Artist ' || i
    from generate_series(0, ${songs}::int - 1) i
    returning id`
  return { id: genre.id, name, songs: rows.map((row) => row.id) }
}

/** What a listener heard of a song before rating it. */
export const HEARD_PREVIEW = { seconds: 20, source: 'preview' } as const

/** A listener without a session, for calls without HTTP. Returns the id. */
export async function makeListener(db: Database): Promise<string> {
  const [id] = await makeListeners(db, 1)
  if (!id) throw new Error('An insert gave no row.')
  return id
}

export async function makeListeners(db: Database, count: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    with made as (
      insert into users (email)
      select gen_random_uuid() || '@example.test' from generate_series(1, ${count}::int) returning id)
    insert into listener_stats (user_id) select id from made returning user_id as id`
  return rows.map(({ id }) => id)
}

/** A video that `catalogue videos` judged for a song and did not take. Returns its id at the desk. */
export async function makeJudgedVideo(
  db: Database,
  songId: string,
  videoId: string,
  {
    source = 'youtube',
    score = 64,
    refusal = 'weak',
  }: { source?: string; score?: number; refusal?: string } = {},
): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    insert into video_candidates (song_id, video_id, source, score, refusal, title, channel, duration_ms)
    values (${songId}, ${videoId}, ${source}, ${score}, ${refusal}, ${`Video ${videoId}`}, 'A channel', 185000)
    returning id`
  if (!row) throw new Error('An insert gave no row.')
  return row.id
}

/** A microgenre of the test catalogue. */
export async function findMicrogenre(db: Database, key: string): Promise<MadeMicrogenre> {
  const rows = await db<{ id: string; name: string; song: string }[]>`
    select m.id, m.name, s.id as song from microgenres m join songs s on s.microgenre_id = m.id
    where m.key = ${key} order by s.seq`
  const [first] = rows
  if (!first) throw new Error(`The test catalogue has no microgenre '${key}'.`)
  return { id: first.id, name: first.name, songs: rows.map((row) => row.song) }
}

/** Rates through the API and returns the response. */
export function rate(listener: Visitor, microgenreId: string, songId: string, rating: Rating = 'banger') {
  return listener.call(rateAndAdvance, { body: { microgenreId, songId, rating } })
}

/** The next song, or null. */
export async function nextSong(listener: Visitor, microgenreId: string): Promise<Song | null> {
  const { status, body } = await listener.call(getNextSong, { params: { id: microgenreId } })
  return status === 404 ? null : (body as Song)
}

/** The songs that are still to come, as the page prefetches them. */
export async function prefetchSongs(listener: Visitor, microgenreId: string): Promise<OfferedSong[]> {
  const query = { prefetch: 'true' } as const
  const { body } = await listener.call(getNextSong, { params: { id: microgenreId }, query })
  return 'prefetch' in body ? body.songs : []
}

export async function streakOf(db: Database, listener: string): Promise<number> {
  const [row] = await db<{ streak: number }[]>`select streak from listener_stats where user_id = ${listener}`
  return row?.streak ?? 0
}

/** Rates to the end of the pass, or `most` songs; returns their ids in order. */
export async function rateOn(
  listener: Visitor,
  microgenreId: string,
  { most = 1000, rating = 'banger' }: { most?: number; rating?: Rating } = {},
): Promise<string[]> {
  const heard: string[] = []
  let song = await nextSong(listener, microgenreId)
  while (song && heard.length < most) {
    heard.push(song.id)
    song = (await rate(listener, microgenreId, song.id, rating)).body.nextSong
  }
  return heard
}

/**
 * Writes ratings directly, as after a first pass, for listeners with more of them than a test has time to send.
 * The last is the newest, `apart` seconds after the one before; they earn no achievements.
 */
export async function writeRatings(
  db: Database,
  listener: string,
  songs: readonly string[],
  isBanger: (index: number) => boolean = () => false,
  apart = 1,
): Promise<void> {
  const areBangers = songs.map((_, index) => isBanger(index))
  await db.begin(async (tx) => {
    await tx`
      insert into ratings (user_id, song_id, microgenre_id, banger, pass, rated_at)
      select ${listener}, s.id, s.microgenre_id, given.banger, 1,
        now() - (${songs.length}::int - given.place) * ${apart}::int * interval '1 second'
      from unnest(${songs}::bigint[], ${areBangers}::boolean[]) with ordinality as given (song, banger, place)
      join songs s on s.id = given.song`
    await tx`
      insert into listener_genres (user_id, microgenre_id, ratings, bangers, done, pass_seed, pass_size)
      select user_id, microgenre_id, count(*), count(*) filter (where banger), count(*), 1, m.song_count
      from ratings join microgenres m on m.id = microgenre_id
      where user_id = ${listener} group by user_id, microgenre_id, m.song_count`
    await tx`
      update listener_stats set total_ratings = ${songs.length}, streak = ${songs.length},
        total_bangers = ${areBangers.filter(Boolean).length},
        genres_rated = (select count(*) from listener_genres g where g.user_id = ${listener})
      where user_id = ${listener}`
    await tx`
      insert into rating_changes (user_id, song_id, microgenre_id, new_banger, new_rated_at)
      select user_id, song_id, microgenre_id, banger, rated_at from ratings where user_id = ${listener}`
  })
}

/** Makes the listener's achievements a minute older, so that a progress report announces them (community-13). */
export async function backdateAchievements(db: Database, listener: string): Promise<void> {
  await db`update achievements set created_at = created_at - interval '1 minute' where user_id = ${listener}`
}

/** Numbers from 0 to 1, the same in every run. They repeat after four billion. */
export function numbersFrom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1)
  return () => {
    state = (state + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    const again = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((again ^ (again >>> 15)) >>> 0) / 2 ** 32
  }
}

interface MadeImportSong {
  songId: string
  verdict?: boolean | null
  /** SQL's text of a time. */
  at?: string | null
  plays?: number
  heap?: 'known' | 'doubtful'
}

/** An import of a listener that waits to be applied. Returns its id. */
export async function makeImport(
  db: Database,
  listener: string,
  songs: readonly MadeImportSong[],
): Promise<string> {
  const [made = { id: '' }] = await db<{ id: string }[]>`
    insert into imports (user_id, status) values (${listener}, 'applying') returning id`
  const rows = songs.map(({ songId, verdict = true, at = null, plays = 0, heap = 'known' }, index) => ({
    ...{ place: index + 1, songId, verdict, at, plays, heap },
  }))
  await db`
    insert into import_songs (import_id, place, heap, key, title, artist, verdict, rated_at, plays, song_id)
    select ${made.id}, place, heap, place, 'A song', 'Somebody', verdict, at, plays, "songId"
    from jsonb_to_recordset(${db.json(rows)}) as i (place int, heap text, verdict boolean, at timestamptz, plays int,
      "songId" bigint)`
  return made.id
}
