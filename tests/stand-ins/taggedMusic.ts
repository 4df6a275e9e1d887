import type { KnownRecording } from './musicbrainz.ts'
import type { Outside } from './outside.ts'

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
