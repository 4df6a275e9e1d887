import type { verifyVideo as endpoint } from '../../contract/diagnostics.ts'
import type { Response } from '../../contract/endpoint.ts'
import { YOUTUBE_AWAY } from '../integrations/video.ts'
import type { Strategy, Youtube } from '../integrations/youtube.ts'
import { BAD_KEY, serviceAway } from './serviceErrors.ts'

/**
 * Whether a video exists and may be embedded: by every way of checking when `enhanced`, else by the first that
 * answers. A video counts as embeddable when no answer says otherwise.
 * @throws HttpError 400 when YouTube rejects the key, 502 when it is unreachable.
 */
export async function verifyVideo(
  youtube: Youtube,
  videoId: string,
  { enhanced }: { enhanced: boolean },
): Promise<Response<typeof endpoint>> {
  const strategies = await youtube.checkEveryStrategy(videoId)
  if (strategies === 'bad-key') throw BAD_KEY
  const answered = strategies.flatMap(({ answer }) => (answer && !('error' in answer) ? answer : []))
  const [first] = answered
  if (!first) throw serviceAway(YOUTUBE_AWAY)
  const heard = enhanced ? answered : [first]
  return {
    embeddable: heard.every(({ embeddable }) => embeddable),
    accessible: heard.every(({ exists }) => exists),
    error: heard.find(({ problem }) => problem !== null)?.problem ?? null,
    strategies: (enhanced ? strategies : strategies.filter(({ answer }) => answer === first)).map(
      describeStrategy,
    ),
  }
}

function describeStrategy({ name, answer }: Strategy) {
  if (!answer) return { name, success: false, detail: 'YOUTUBE_API_KEY is not set.' }
  if ('error' in answer) return { name, success: false, detail: answer.error }
  return { name, success: answer.embeddable, detail: answer.problem ?? answer.title }
}
