import type { testPreviewAvailability } from '../../contract/diagnostics.ts'
import type { Response } from '../../contract/endpoint.ts'
import { DEEZER_AWAY, type Deezer } from '../integrations/deezer.ts'
import { bestMatch } from '../playback/preview.ts'
import { SAMPLE_TRACKS } from './samples.ts'
import { serviceAway } from './serviceErrors.ts'

/**
 * Searches the preview service for the eight sample tracks (diagnostics-15).
 * @throws HttpError 502 when every search failed.
 */
export async function previewAvailability(deezer: Deezer): Promise<Response<typeof testPreviewAvailability>> {
  const answers = await Promise.all(SAMPLE_TRACKS.map(({ artist, title }) => deezer.search(artist, title)))
  if (answers.every((answer) => 'error' in answer)) throw serviceAway(DEEZER_AWAY)
  const tracks = SAMPLE_TRACKS.map(({ artist, title }, i) => {
    const answer = answers[i]
    const found = answer && 'tracks' in answer ? bestMatch(answer.tracks, { artist, title }) : undefined
    return { title, artist, found: found !== undefined, hasPreview: Boolean(found?.previewUrl) }
  })
  const tracksWithPreviews = tracks.filter(({ hasPreview }) => hasPreview).length
  return {
    tracksFound: tracks.filter(({ found }) => found).length,
    tracksWithPreviews,
    previewRate: Math.round((100 * tracksWithPreviews) / tracks.length),
    tracks,
  }
}
