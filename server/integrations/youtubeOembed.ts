import type { Logger } from 'pino'
import { z } from 'zod'
import { Line } from '../../contract/texts.ts'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { throttleFor } from './rateLimiter.ts'
import { createService, ServiceFailure, type ServiceResponse } from './service.ts'
import {
  NO_SUCH_VIDEO,
  unplayableVideo,
  type VideoAnswer,
  type VideoFacts,
  YOUTUBE_UNAVAILABLE,
} from './video.ts'

/** No limit is documented; this rate is polite. */
const THROTTLE = { limit: 20, interval: 1000 }

/** Asks about one video without a key: https://oembed.com. Answers within four seconds. */
export function createYoutubeOembed(
  env: Env,
  log: Logger,
  db: Queryable,
): (videoId: string) => Promise<VideoAnswer> {
  const service = createService(log, db, {
    name: 'YouTube oEmbed',
    timeout: 3000,
    totalTimeout: 3500,
    throttle: throttleFor(env.YOUTUBE_OEMBED_URL, 'www.youtube.com', THROTTLE),
  })
  return async (videoId) => {
    const url = new URL(env.YOUTUBE_OEMBED_URL)
    url.searchParams.set('url', `https://www.youtube.com/watch?v=${videoId}`)
    url.searchParams.set('format', 'json')
    const reply = await service.ask(url, read)
    return 'value' in reply ? reply.value : { error: YOUTUBE_UNAVAILABLE }
  }
}

/** The status carries more than the body. */
function read({ status, body }: ServiceResponse): VideoFacts {
  switch (status) {
    case 200: {
      const { title, author_name } = Embed.parse(body)
      return {
        exists: true,
        embeddable: true,
        isRegional: false,
        title,
        channel: author_name,
        durationMs: null,
        problem: null,
      }
    }
    case 401:
      return unplayableVideo('Its owner does not allow it to be embedded.')
    case 403:
      return unplayableVideo('It is private.', { exists: false })
    case 400:
    case 404:
      return unplayableVideo(NO_SUCH_VIDEO, { exists: false })
    default:
      throw new ServiceFailure(`status ${status}`)
  }
}

const Embed = z.object({ title: Line, author_name: Line })
