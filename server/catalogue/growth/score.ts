import type { TaggedEntity } from '../../integrations/listenbrainz.ts'

/**
 * How much speaks for a song in a microgenre, of 100 (catalogue-13): the recording, its release and its artist have the
 * tag, and the artist has a song there already. One of them alone is the opinion of one person, or says nothing about
 * this song.
 */
const WEIGHTS: Record<TaggedEntity, number> = { recording: 50, 'release-group': 40, artist: 30 }
const KNOWN_ARTIST = 30

/** From this score on a song goes in: its recording and something else, or everything else. */
export const ENOUGH = 80

/** From this score on a steward is asked. */
export const WORTH_ASKING = 50

export function scoreOf(tagged: readonly TaggedEntity[], isKnownArtist: boolean): number {
  const sum = tagged.reduce((all, entity) => all + WEIGHTS[entity], isKnownArtist ? KNOWN_ARTIST : 0)
  return Math.min(sum, 100)
}
