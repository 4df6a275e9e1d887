import type { Replacement } from '../../contract/diagnostics.ts'
import { YOUTUBE_AWAY } from '../integrations/video.ts'
import { SEARCHES_PER_DAY, type Youtube } from '../integrations/youtube.ts'
import type { Named } from '../playback/matchScore.ts'
import { BAD_KEY, serviceAway } from './serviceErrors.ts'
import { matchVideo } from './videoMatch.ts'

type ReplacementAnswer =
  | { success: true; message: null; replacement: Replacement }
  | { success: false; message: string; replacement: null }

/** Of 100; below it the video is another song. Between here and 80 the operator decides (diagnostics-18). */
const LEAST_SCORE = 50

/**
 * The embeddable video that matches a song best.
 * @throws HttpError 400 when YouTube rejects the key, 502 when it is unreachable.
 */
export async function findReplacement(youtube: Youtube, song: Named): Promise<ReplacementAnswer> {
  const found = await youtube.search(`${song.artist} ${song.title}`)
  if (found === 'bad-key') throw BAD_KEY
  if (found === 'away') throw serviceAway(YOUTUBE_AWAY)
  if (!Array.isArray(found)) return none(REASONS[found])

  const facts = await youtube.check(found.map(({ videoId }) => videoId))
  if (facts === 'bad-key') throw BAD_KEY
  const [best] = found
    .map((video) => ({ video, score: matchVideo(song, video).score, facts: facts.get(video.videoId) }))
    .filter(({ score, facts }) => score >= LEAST_SCORE && facts && 'embeddable' in facts && facts.embeddable)
    .sort((a, b) => b.score - a.score)
  if (!best) return none('No video was found that matches and may be embedded.')
  const { videoId, title, channel } = best.video
  return {
    success: true,
    message: null,
    replacement: { videoId, title, channelTitle: channel, matchScore: best.score, embeddable: true },
  }
}

const none = (message: string): ReplacementAnswer => ({ success: false, message, replacement: null })

const REASONS = {
  'no-key': 'YouTube search is not configured. Set YOUTUBE_API_KEY.',
  budget: `The ${SEARCHES_PER_DAY} searches of today are used up. Please try again tomorrow.`,
  quota: 'YouTube’s quota of today is used up. Please try again tomorrow.',
}
