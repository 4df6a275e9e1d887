import type { Transaction } from '../db/connection.ts'

/** The training data: heard ratings of dealt songs (discover-51), grouped by listener. */
export interface HeardRatings {
  /** All songs, in ascending order of their ids. */
  songs: { ids: Float64Array; genres: Int32Array; genreCount: number }
  /** The listeners' ids, and the offset of each one's ratings, with the total at the end. */
  listeners: Float64Array
  starts: Int32Array
  /** One number per rating: the song's index in `songs` times four, plus HELD_OUT, plus BANGER. */
  marks: Int32Array
}

export const BANGER = 1
export const HELD_OUT = 2
export const songOf = (mark: number): number => mark >> 2

/**
 * Streams the ratings by listener. Above `maxRatings`, only the newest of each listener count, the same number for
 * everybody. Memory: four bytes per rating, and a few numbers per song and listener.
 */
export async function readHeardRatings(tx: Transaction, maxRatings: number): Promise<HeardRatings> {
  const [catalogue] = await tx<{ songs: number }[]>`select count(*)::int as songs from songs`
  const [size] = await tx<{ listeners: number; ratings: number }[]>`
    select count(*)::int as listeners, coalesce(sum(total_ratings), 0)::float8 as ratings from listener_stats`
  if (!catalogue || !size) throw new Error('An aggregate returned no row.')
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
  // One line per listener: one per rating would cost ten times as much.
  const lines = tx.copyOut(
    `copy (select user_id, string_agg((song_id * 2 + banger::int)::text, ' ' order by rated_at desc) from ratings
      where heard_source is not null and dealt_reason is not null group by user_id) to stdout`,
  )
  await forEachNumber(lines, (number, isLast) => {
    if (taken < 0) {
      if (listenerCount === size.listeners)
        throw new Error('Some listeners have ratings but no row in listener_stats.')
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

/** One rating of twenty is never learned from, so that every run is measured by the same ones (discover-62). */
export const isHeldOut = (listener: number, song: number): boolean =>
  hashNumber(listener ^ hashNumber(song)) % 20 === 0

/** A pseudorandom number from 0 to 2^32 - 1, determined by `value` (the finalizer of MurmurHash3). */
export function hashNumber(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** The index of an id in ascending `ids`; -1 if there is none. */
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

/** Parses whole numbers, separated by single characters, from lines of text. */
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
