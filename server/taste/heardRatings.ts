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

/** The newest ratings of a listener that count: more say little more. */
const MAX_PER_LISTENER = 300

/**
 * Reads the ratings of a sample of listeners, chosen by a hash of their ids, so that every run learns from the same ones.
 * Whole listeners, because few ratings of each say nothing of their tastes.
 */
export async function readSample(tx: Transaction, maxRatings: number): Promise<HeardRatings> {
  const [size] = await tx<{ ratings: number }[]>`
    select coalesce(sum(least(total_ratings, ${MAX_PER_LISTENER}::int)), 0)::float8 as ratings from listener_stats`
  const ratings = size?.ratings ?? 0
  const share = Math.ceil((maxRatings / Math.max(1, ratings)) * 1_000_000)
  return readHeardRatings(tx, await readSongs(tx), {
    // Another seed than that of the shards, of which it would take the first.
    condition: `abs(hashint8extended(s.user_id, 1) % 1000000) < ${share}`,
    maxRatings: Math.min(ratings, maxRatings),
  })
}

/** Reads the ratings of these listeners, in ascending order of their ids. */
export const readListeners = (
  tx: Transaction,
  songs: HeardRatings['songs'],
  ids: readonly string[],
): Promise<HeardRatings> =>
  readHeardRatings(tx, songs, {
    condition: `s.user_id in (${ids.join(', ')})`,
    maxRatings: ids.length * MAX_PER_LISTENER,
  })

/** Streams the ratings by listener. Memory: four bytes per rating, and a few numbers per listener. */
async function readHeardRatings(
  tx: Transaction,
  songs: HeardRatings['songs'],
  { condition, maxRatings }: { condition: string; maxRatings: number },
): Promise<HeardRatings> {
  const listeners: number[] = []
  const starts: number[] = []
  const marks = new Int32Array(maxRatings)
  let markCount = 0
  let taken = -1
  // One line per listener: one per rating would cost ten times as much. PostgreSQL sorts those of one listener at a time.
  const lines = tx.copyOut(
    `copy (select s.user_id, heard.marks from listener_stats s cross join lateral (
        select string_agg((r.song_id * 2 + r.banger::int)::text, ' ' order by r.rated_at desc) as marks from ratings r
        where r.user_id = s.user_id and r.heard_source is not null and r.dealt_reason is not null group by r.user_id
      ) heard where ${condition} order by s.user_id) to stdout`,
  )
  await forEachNumber(lines, (number, isLast) => {
    if (taken < 0) {
      listeners.push(number)
      starts.push(markCount)
    } else if (taken < MAX_PER_LISTENER && markCount < maxRatings) {
      const song = Math.floor(number / 2)
      const place = indexOfId(songs.ids, song)
      if (place >= 0) {
        const heldOut = isHeldOut(listeners.at(-1) as number, song) ? HELD_OUT : 0
        marks[markCount++] = place * 4 + heldOut + (number % 2)
      }
    }
    taken = isLast ? -1 : taken + 1
  })
  starts.push(markCount)
  return {
    songs,
    listeners: Float64Array.from(listeners),
    starts: Int32Array.from(starts),
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

async function readSongs(tx: Transaction): Promise<HeardRatings['songs']> {
  const ids: number[] = []
  const genres: number[] = []
  const places = new Map<number, number>()
  await forEachNumber(
    tx.copyOut('copy (select id, microgenre_id from songs order by id) to stdout'),
    (number, isLast) => {
      if (!isLast) ids.push(number)
      else {
        const genre = places.get(number) ?? places.size
        places.set(number, genre)
        genres.push(genre)
      }
    },
  )
  return { ids: Float64Array.from(ids), genres: Int32Array.from(genres), genreCount: places.size }
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
