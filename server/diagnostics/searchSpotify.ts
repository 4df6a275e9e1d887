import type { SpotifyTrack } from '../../contract/diagnostics.ts'
import type { Spotify } from '../integrations/spotify.ts'
import { matchScore, type Named } from '../playback/matchScore.ts'
import { BAD_CREDENTIALS, serviceAway } from './serviceErrors.ts'

type SpotifyAnswer =
  | { success: true; message: null; result: SpotifyTrack }
  | { success: false; message: string; result: null }

/** Of 100; below it the track is another song. */
const LEAST_SCORE = 50

/**
 * The Spotify track that matches a song best.
 * @throws HttpError 400 when Spotify rejects the credentials, 502 when it is unreachable.
 */
export async function searchSpotify(spotify: Spotify, song: Named): Promise<SpotifyAnswer> {
  const found = await spotify.search(song.artist, song.title)
  if (found === 'no-key') {
    return none('Spotify is not configured. Set SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET.')
  }
  if (found === 'bad-key') throw BAD_CREDENTIALS
  if (found === 'away') throw serviceAway('Spotify does not answer right now.')
  const [best] = found
    .map((track) => ({ ...track, matchScore: scoreOf(song, track) }))
    .filter((track) => track.matchScore >= LEAST_SCORE)
    .sort((a, b) => b.matchScore - a.matchScore)
  if (!best) return none('No track was found that matches.')
  return { success: true, message: null, result: { ...best, hasPreview: best.previewUrl !== null } }
}

/** A track lists guests among its artists; the catalogue may have only the first. */
function scoreOf(song: Named, { name, artists }: { name: string; artists: string[] }): number {
  const spellings = [artists.join(' '), ...artists]
  return Math.max(...spellings.map((artist) => matchScore(song, { title: name, artist })))
}

const none = (message: string): SpotifyAnswer => ({ success: false, message, result: null })
