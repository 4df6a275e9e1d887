import { setTimeout as wait } from 'node:timers/promises'
import { PREFETCH_SIZE } from '../../contract/discovery.ts'
import { createSession } from '../../server/auth/sessions.ts'
import type { Database, Fragment, Queryable } from '../../server/db/connection.ts'
import { functions } from '../../server/db/functions.ts'
import { foldAllSongs } from '../../server/suggestions/catalogueSongs.ts'

/** Signed-in listeners at the first song of one microgenre. */
export interface LoadListeners extends SongRange {
  /** The first listener's id; the others follow. */
  firstListener: number
  /** One session each, in the same order. */
  sessions: string[]
}

/** A microgenre whose song ids follow the order of all these listeners' passes. */
export interface SongRange {
  microgenreId: number
  /** The first song's id. */
  firstSong: number
  /** The number of songs. */
  songs: number
}

export async function createSongs(db: Database, songs: number): Promise<SongRange> {
  const [genre] = await db<{ id: string }[]>`
    insert into microgenres
      (key, name, family, description, color, energy, vocals, familiarity, mood, song_count, live_song_count)
    values ('bench', 'bench', 'bench', 'Songs of a bench.', '#4ecdc4', '{}', '{}', '{}', '{}', ${songs}, ${songs})
    returning id`
  const microgenreId = Number(genre?.id)
  await db.begin(async (tx) => {
    // On a busy machine these take longer than a call's statement may.
    await tx`set local statement_timeout = 0`
    await tx`
      insert into songs (key, source, microgenre_id, seq, title, artist, year, youtube_id)
      select 'bench/' || place, 'import', ${microgenreId}, ${functions}.song_at_place(${SEED}, ${songs}, place),
        'A song of usual length ' || place, 'The Stand-ins', 1970 + place % 50, 'bm' || lpad(place::text, 9, '0')
      from generate_series(0, ${songs - 1}::int) as place order by place`
  })
  // Else the server's job folds their names during the measurement.
  await foldAllSongs(db)
  const [row] = await db<{ first: string }[]>`
    select min(id) as first from songs where microgenre_id = ${microgenreId}`
  await db`analyze`
  return { microgenreId, firstSong: Number(row?.first), songs }
}

export async function createListeners(db: Database, range: SongRange, count: number): Promise<LoadListeners> {
  const ids = await db.begin(async (tx) => {
    const rows = await tx<{ id: string }[]>`
      insert into users (email)
      select 'bench-' || gen_random_uuid() || '@example.test' from generate_series(1, ${count}::int)
      returning id`
    const listenerIds = rows.map(({ id }) => id).sort((one, other) => Number(one) - Number(other))
    await tx`insert into listener_stats (user_id) select unnest(${listenerIds}::bigint[])`
    await tx`
      insert into listener_genres (user_id, microgenre_id, pass_seed, pass_size)
      select unnest(${listenerIds}::bigint[]), ${range.microgenreId}::bigint, ${SEED}::int, ${range.songs}::int`
    return listenerIds
  })
  // As their pages do before the first rating.
  for (const id of ids)
    await db`select from ${functions}.next_songs(${id}::bigint, ${range.microgenreId}::bigint, ${PREFETCH_SIZE}::int)`
  const sessions: string[] = []
  for (const id of ids) sessions.push((await createSession(db, id, null)) ?? '')
  return { ...range, firstListener: Number(ids[0]), sessions }
}

/** Waits until the server has counted all ratings. */
export async function waitForRollUp(db: Database): Promise<void> {
  while ((await db`select from rating_changes limit 1`).length > 0) await wait(100)
}

const SEED = 20261121

/** Different words of at least `least` syllables, the same in each run. */
export function makeWords(count: number, least: number): string[] {
  const starts = 'b c d f g h k l m n p r s t v w z br ch dr gr kl sh st tr th'.split(' ')
  const vowels = 'a a e e i o u ai ea ou'.split(' ')
  const ends = ['', '', 'n', 'r', 's', 'l', 't', 'm', 'nd', 'ck']
  const wordSet = new Set<string>()
  for (let seed = 1; wordSet.size < count; ) {
    let word = ''
    const most = least + (seed % 3)
    for (let syllable = 0; syllable < most; syllable++)
      for (const list of [starts, vowels, ends]) {
        seed = (seed * 48271) % 2147483647
        word += list[seed % list.length]
      }
    wordSet.add(word)
  }
  return [...wordSet]
}

/** A random word in SQL, with frequencies by Zipf's law. */
export function pick(db: Queryable, words: string[]): Fragment {
  return db`(${words}::text[])[ceil(power(${words.length}::float8, random()))::int]`
}
