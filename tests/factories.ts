import { getNextSong, rateAndAdvance } from '../contract/discovery.ts'
import type { Rating, Song } from '../contract/shapes.ts'
import type { Database } from '../server/db/connection.ts'
import type { Visitor } from './harness/visitor.ts'

export interface MadeMicrogenre {
  id: string
  name: string
  /** Ids of its songs, in the order they were added. */
  songs: string[]
}

let made = 0

/** A microgenre with `songs` songs, outside the starter catalogue: loading that leaves it alone. */
export async function makeMicrogenre(db: Database, songs: number): Promise<MadeMicrogenre> {
  const number = String(++made).padStart(4, '0')
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

/** A microgenre of the test catalogue. */
export async function findMicrogenre(db: Database, key: string): Promise<MadeMicrogenre> {
  const rows = await db<{ id: string; name: string; song: string }[]>`
    select m.id, m.name, s.id as song from microgenres m join songs s on s.microgenre_id = m.id
    where m.key = ${key} order by s.seq`
  const [first] = rows
  if (!first) throw new Error(`The test catalogue has no microgenre '${key}'.`)
  return { id: first.id, name: first.name, songs: rows.map((row) => row.song) }
}

/** Rates through the API and gives the answer. */
export function rate(listener: Visitor, microgenreId: string, songId: string, rating: Rating = 'banger') {
  return listener.call(rateAndAdvance, { body: { microgenreId, songId, rating } })
}

/** The song that comes next, null when there is none. */
export async function nextSong(listener: Visitor, microgenreId: string): Promise<Song | null> {
  const { status, body } = await listener.call(getNextSong, { params: { id: microgenreId } })
  return status === 404 ? null : (body as Song)
}

/** Rates from the next song on to the end of the pass, or `most` songs; gives their ids in order. */
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
