import type { KnownRecording } from './musicbrainz.ts'
import type { Outside } from './outside.ts'

/** Finds what shares words with a query. Like a real search engine it begins with the rarest word. */
export interface WordIndex<T> {
  add(words: Iterable<string>, item: T): void
  /** Every item with this word. */
  having(word: string): T[]
  /** Items with one of the words, from the rarest on, until there are enough. */
  find(words: string[]): Set<T>
  /** The rarer a word, the more it says of what is meant. */
  weightOf(word: string): number
  clear(): void
}

/** A search for a song that is there finds it and its namesakes long before. */
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

/** A recording that services name for a tag. */
export interface TaggedMusic {
  /** What differs from a plain recording with the tag, by an artist of its own. */
  recording?: Partial<KnownRecording>
  /** What has the tag by ListenBrainz's radio. By default the artist. */
  radio?: ('recording' | 'release-group' | 'artist')[]
  /** MusicBrainz does not know it. */
  isGone?: boolean
}

/** The id of the n-th recording. */
export const recordingId = (n: number): string => uuid(n, 1)

/** The services name these recordings for a tag from now on. */
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

const recordingOf = (n: number, tag: string, its: Partial<KnownRecording> = {}): KnownRecording => ({
  mbid: recordingId(n),
  title: `${WORDS[n % WORDS.length]} ${n}`,
  artist: `The ${WORDS[(n * 3 + 1) % WORDS.length]} Makers ${n}`,
  artistMbid: uuid(n, 2),
  lengthMs: 200_000 + n * 1000,
  tags: { [tag]: 1 },
  releases: [{ mbid: uuid(n, 3), date: '1994-05-01' }],
  ...its,
})

const WORDS = ['Amber', 'Cobalt', 'Silver', 'Crimson', 'Ivory', 'Jade', 'Ochre']

const uuid = (n: number, kind: number) =>
  `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${kind.toString(16).padStart(12, '0')}`
