import type { Transaction } from '../../db/connection.ts'

/** What is learned from: heard ratings of songs that had been dealt (discover-51), listener by listener. */
export interface HeardRatings {
  /** All songs, in ascending order of their ids. */
  songs: { ids: Float64Array; genres: Int32Array; genreCount: number }
  /** The ids of the listeners, and where each one's ratings begin; at the end, how many there are. */
  listeners: Float64Array
  starts: Int32Array
  /** One number for each rating: the song's place in `songs` times four, plus HELD_OUT, plus BANGER. */
  marks: Int32Array
}

export const BANGER = 1
export const HELD_OUT = 2
export const songOf = (mark: number): number => mark >> 2

/**
 * Reads the ratings as a stream, listener by listener. Of more than `most` ratings, each listener's newest count, as
 * many of everybody: memory is four bytes for each of `most`, and a few numbers for each song and listener.
 */
export async function readHeardRatings(tx: Transaction, maxRatings: number): Promise<HeardRatings> {
  const [catalogue] = await tx<{ songs: number }[]>`select count(*)::int as songs from songs`
  const [size] = await tx<{ listeners: number; ratings: number }[]>`
    select count(*)::int as listeners, coalesce(sum(total_ratings), 0)::float8 as ratings from listener_stats`
  if (!catalogue || !size) throw new Error('An aggregate gave no row.')
  const songs = await readSongs(tx, catalogue.songs)
  const maxPerListener =
    size.ratings <= maxRatings
      ? Number.POSITIVE_INFINITY
      : Math.max(1, Math.floor(maxRatings / size.listeners))
  const listeners = new Float64Array(size.listeners)
  const starts = new Int32Array(size.listeners + 1)
  const marks = new Int32Array(Math.min(size.ratings, maxRatings))
  let listenerCount = 0
  let markCount = 0
  let taken = -1
  // One line for each listener: a line for each rating would cost ten times as much here.
  const lines = tx.copyOut(
    `copy (select user_id, string_agg((song_id * 2 + banger::int)::text, ' ' order by rated_at desc) from ratings
      where heard_source is not null and dealt_reason is not null group by user_id) to stdout`,
  )
  await forEachNumber(lines, (number, isLast) => {
    if (taken < 0) {
      if (listenerCount === size.listeners) throw new Error('There are ratings of listeners without figures.')
      listeners[listenerCount] = number
      starts[listenerCount] = markCount
    } else if (taken < maxPerListener && markCount < marks.length) {
      const song = Math.floor(number / 2)
      const place = indexOfId(songs.ids, song)
      if (place >= 0) {
        const heldOut = isHeldOut(listeners[listenerCount] as number, song) ? HELD_OUT : 0
        marks[markCount++] = place * 4 + heldOut + (number % 2)
      }
    }
    taken = isLast ? -1 : taken + 1
    if (isLast) listenerCount++
  })
  starts[listenerCount] = markCount
  return {
    songs,
    listeners: listeners.subarray(0, listenerCount),
    starts: starts.subarray(0, listenerCount + 1),
    marks: marks.subarray(0, markCount),
  }
}

/** One rating of twenty is never learned from: every run is judged by the same ones (discover-62). */
export const isHeldOut = (listener: number, song: number): boolean =>
  hashNumber(listener ^ hashNumber(song)) % 20 === 0

/** A number from 0 to 2^32 - 1 that seems random and is always the same (the finalizer of MurmurHash3). */
export function hashNumber(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Where an id is in ascending `ids`; -1 where it is not. */
export function indexOfId(ids: Float64Array, id: number): number {
  let from = 0
  let to = ids.length - 1
  while (from <= to) {
    const middle = (from + to) >> 1
    const found = ids[middle] as number
    if (found === id) return middle
    if (found < id) from = middle + 1
    else to = middle - 1
  }
  return -1
}

async function readSongs(tx: Transaction, count: number): Promise<HeardRatings['songs']> {
  const ids = new Float64Array(count)
  const genres = new Int32Array(count)
  const places = new Map<number, number>()
  let at = 0
  await forEachNumber(
    tx.copyOut('copy (select id, microgenre_id from songs order by id) to stdout'),
    (number, isLast) => {
      if (!isLast) ids[at] = number
      else {
        const genre = places.get(number) ?? places.size
        places.set(number, genre)
        genres[at++] = genre
      }
    },
  )
  return { ids, genres, genreCount: places.size }
}

/** Reads whole numbers, separated by single characters, from lines of text. */
async function forEachNumber(
  source: AsyncIterable<Buffer>,
  read: (number: number, isLast: boolean) => void,
): Promise<void> {
  let number = 0
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (byte >= ZERO_CODE) number = number * 10 + byte - ZERO_CODE
      else {
        read(number, byte === NEWLINE_CODE)
        number = 0
      }
    }
  }
}

const ZERO_CODE = 48
const NEWLINE_CODE = 10
