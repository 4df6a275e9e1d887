import { verifyVideo } from '../../contract/diagnostics.ts'
import { searchPreview } from '../../contract/playback.ts'
import type { Song } from '../../contract/shapes.ts'
import { call } from '../api/call.ts'
import { config } from '../api/config.ts'
import { explainFailure } from './explainFailure.ts'

export interface Finding {
  state: 'fine' | 'trouble' | 'skipped'
  /** The finding, and what to do about a problem. */
  words: string
}

/** What a song needs to play, from the catalogue to the loudspeaker. */
export const checks: { name: string; look: (song: Song | undefined) => Promise<Finding> }[] = [
  { name: 'A song comes from the catalogue', look: lookAtCatalogue },
  { name: 'This browser reaches YouTube', look: lookAtYoutube },
  { name: 'The video may be embedded', look: lookAtVideo },
  { name: 'There is a preview to fall back on', look: lookAtPreview },
  { name: 'This browser plays MP3', look: lookAtBrowser },
]

async function lookAtCatalogue(song: Song | undefined): Promise<Finding> {
  if (song) return fine(`${song.title} by ${song.artist}`)
  return trouble('No song came. Is the server up, and the catalogue loaded?')
}

/** The thumbnail comes directly from YouTube's image host. */
function lookAtYoutube(song: Song | undefined): Promise<Finding> {
  const videoId = song?.youtubeId
  if (!videoId) return Promise.resolve(skipped('The song has no video.'))
  return new Promise((resolve) => {
    const picture = new Image()
    const late = setTimeout(() => resolve(trouble(UNREACHED)), 10_000)
    const settle = (finding: Finding) => {
      clearTimeout(late)
      resolve(finding)
    }
    picture.onload = () => settle(fine('Its thumbnail came.'))
    picture.onerror = () => settle(trouble(UNREACHED))
    picture.src = `${config.youtubeImageUrl}/vi/${encodeURIComponent(videoId)}/default.jpg`
  })
}

const UNREACHED =
  'The thumbnail did not come. A network, a filter or an extension may block YouTube; listeners get previews then.'

async function lookAtVideo(song: Song | undefined): Promise<Finding> {
  const videoId = song?.youtubeId
  if (!videoId) return skipped('The song has no video.')
  try {
    const { embeddable, error } = await call(verifyVideo, {
      params: { videoId },
      query: { strategy: 'enhanced' },
    })
    if (embeddable) return fine('YouTube allows it.')
    return trouble(
      `${error ?? 'Not accessible.'} Look for another video below; until then the preview plays.`,
    )
  } catch (error) {
    return trouble(explainFailure('YouTube could not be asked', error))
  }
}

async function lookAtPreview(song: Song | undefined): Promise<Finding> {
  if (!song) return skipped('There is no song to look for.')
  try {
    const query = { artist: song.artist.slice(0, 200), title: song.title.slice(0, 200), songId: song.id }
    const { result, message } = await call(searchPreview, { query })
    return result ? fine('Deezer has one.') : trouble(message ?? 'None was found.')
  } catch (error) {
    return trouble(explainFailure('Previews could not be searched', error))
  }
}

async function lookAtBrowser(): Promise<Finding> {
  const can = document.createElement('audio').canPlayType('audio/mpeg') !== ''
  return can ? fine('Previews can be heard.') : trouble('Previews are MP3 files; try another browser.')
}

const fine = (words: string): Finding => ({ state: 'fine', words })
const trouble = (words: string): Finding => ({ state: 'trouble', words })
const skipped = (words: string): Finding => ({ state: 'skipped', words })
