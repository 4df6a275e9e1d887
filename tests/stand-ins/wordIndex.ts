import type { KnownRecording } from './musicbrainz.ts'
import type { Outside } from './outside.ts'

/** Finds items that share words with a query, the rarest word first, like a real search engine. */
export interface WordIndex<T> {
  add(words: Iterable<string>, item: T): void
  /** Every item with this word. */
  having(word: string): T[]
  /** Items with one of the words, from the rarest on, until there are enough. */
  find(words: string[]): Set<T>
  /** The rarer a word, the larger its weight. */
  weightOf(word: string): number
  clear(): void
}

/** Enough for a song in the index and its namesakes. */
const MIN_SHARED_WORDS = 500

export function createWordIndex<T>(): WordIndex<T> {
  const byWord = new Map<string, T[]>()
  let size = 0
  const entriesWith = (word: string) => byWord.get(word) ?? []
  return {
    add(words, item) {
      size += 1
      for (const word of new Set(words)) {
        const items = byWord.get(word)
        if (items) items.push(item)
        else byWord.set(word, [item])
      }
    },
    having: entriesWith,
    find(words) {
      const matches = new Set<T>()
      for (const items of words.map(entriesWith).sort((a, b) => a.length - b.length)) {
        if (matches.size >= MIN_SHARED_WORDS) break
        for (const item of items.slice(0, MIN_SHARED_WORDS)) matches.add(item)
      }
      return matches
    },
    weightOf: (word) => Math.log(1 + size / (1 + entriesWith(word).length)),
    clear() {
      byWord.clear()
      size = 0
    },
  }
}

/** A recording with a tag at the services. */
export interface TaggedMusic {
  /** The differences from a plain recording with the tag, by its own artist. */
  recording?: Partial<KnownRecording>
  /** The source of the tag in ListenBrainz's radio, by default the artist. */
  radio?: ('recording' | 'release-group' | 'artist')[]
  /** It is not in MusicBrainz. */
  isGone?: boolean
}

/** The id of the n-th recording. */
export const recordingId = (n: number): string => uuid(n, 1)

/** Adds recordings with a tag to the services. */
export function tagMusic(
  { listenbrainz, musicbrainz }: Pick<Outside, 'listenbrainz' | 'musicbrainz'>,
  tag: string,
  music: readonly TaggedMusic[],
): void {
  const radio = music.flatMap((one, n) =>
    (one.radio ?? ['artist']).map((source) => ({ mbid: recordingId(n), source, count: 1 })),
  )
  listenbrainz.tag(tag, radio)
  for (const [n, { recording, isGone }] of music.entries())
    if (!isGone) musicbrainz.know(recordingOf(n, tag, recording))
}

const recordingOf = (n: number, tag: string, overrides: Partial<KnownRecording> = {}): KnownRecording => ({
  mbid: recordingId(n),
  title: `${WORDS[n % WORDS.length]} ${n}`,
  artist: `The ${WORDS[(n * 3 + 1) % WORDS.length]} Makers ${n}`,
  artistMbid: uuid(n, 2),
  lengthMs: 200_000 + n * 1000,
  tags: { [tag]: 1 },
  releases: [{ mbid: uuid(n, 3), date: '1994-05-01' }],
  ...overrides,
})

const WORDS = ['Amber', 'Cobalt', 'Silver', 'Crimson', 'Ivory', 'Jade', 'Ochre']

const uuid = (n: number, kind: number) =>
  `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${kind.toString(16).padStart(12, '0')}`

export const wordsOf = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
