import type { Logger } from 'pino'
import { z } from 'zod'
import { Line } from '../../contract/texts.ts'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { throttleFor } from './rateLimiter.ts'
import { createService, ServiceFailure, type ServiceResponse } from './service.ts'
import { NO_SUCH_VIDEO, unplayableVideo, type VideoFacts } from './video.ts'

/** Why a call with a key gave no answer. `quota`: the daily units are used up. */
export type YoutubeRefusal = 'bad-key' | 'quota' | 'away'

export interface FoundVideo {
  videoId: string
  title: string
  channel: string
}

/** The YouTube Data API v3: https://developers.google.com/youtube/v3/docs */
export interface YoutubeData {
  /** Facts about at most 50 videos, missing ones included. Costs one of 10,000 units a day. */
  list(videoIds: readonly string[]): Promise<Map<string, VideoFacts> | YoutubeRefusal>
  /** At most ten videos in YouTube's order. Costs 100 of 10,000 units a day. */
  search(words: string): Promise<FoundVideo[] | YoutubeRefusal>
}

/** Videos per `videos.list`. */
export const MAX_LISTED_VIDEOS = 50

const THROTTLE = { limit: 10, interval: 1000 }

export function createYoutubeData(env: Env, key: string, log: Logger, db: Queryable): YoutubeData {
  const service = createService(log, db, {
    name: 'YouTube',
    timeout: 2000,
    totalTimeout: 2200,
    throttle: throttleFor(env.YOUTUBE_API_URL, 'www.googleapis.com', THROTTLE),
  })

  async function ask<T>(path: string, query: Record<string, string>, read: (body: unknown) => T) {
    const url = new URL(`${env.YOUTUBE_API_URL}/${path}`)
    url.search = new URLSearchParams({ ...query, key }).toString()
    const reply = await service.ask(url, (response) => refusalOf(response) ?? read(response.body))
    return 'value' in reply ? reply.value : 'away'
  }

  return {
    list: (videoIds) =>
      ask(
        'videos',
        { part: 'snippet,status,contentDetails', id: videoIds.join(','), maxResults: '50' },
        (body) => {
          const facts = new Map(VideosBody.parse(body).items.map((video) => [video.id, factsOf(video)]))
          return new Map(
            videoIds.map((id) => [id, facts.get(id) ?? unplayableVideo(NO_SUCH_VIDEO, { exists: false })]),
          )
        },
      ),

    search: (words) =>
      ask(
        'search',
        {
          part: 'snippet',
          type: 'video',
          videoEmbeddable: 'true',
          videoSyndicated: 'true',
          maxResults: '10',
          q: words,
        },
        (body) =>
          SearchBody.parse(body).items.map(({ id, snippet }) => ({
            videoId: id.videoId,
            title: unescapeHtml(snippet.title),
            channel: unescapeHtml(snippet.channelTitle),
          })),
      ),
  }
}

/** @throws ServiceFailure when it is neither an answer nor a refusal. */
function refusalOf({ status, body }: ServiceResponse): YoutubeRefusal | null {
  if (status === 200) return null
  const { error } = Failure.parse(body)
  const reasons = [...(error.errors ?? []), ...(error.details ?? [])].map(({ reason }) => reason)
  if (reasons.some((reason) => reason === 'quotaExceeded' || reason === 'dailyLimitExceeded')) return 'quota'
  if (
    /API key/i.test(error.message) ||
    reasons.some((reason) => /^API_KEY_|^keyInvalid$/.test(reason ?? ''))
  ) {
    return 'bad-key'
  }
  throw new ServiceFailure(`status ${status}`)
}

function factsOf({ snippet, status, contentDetails }: z.infer<typeof Video>): VideoFacts {
  const problem = problemOf(status, contentDetails)
  return {
    exists: status.privacyStatus !== 'private' && status.uploadStatus !== 'deleted',
    embeddable: problem === null,
    isRegional: countCountries(contentDetails?.regionRestriction) < COUNTRIES.min,
    title: snippet.title,
    channel: snippet.channelTitle,
    durationMs: durationOf(contentDetails?.duration),
    problem,
  }
}

function problemOf(
  status: z.infer<typeof Video>['status'],
  details: z.infer<typeof Video>['contentDetails'],
) {
  if (status.privacyStatus === 'private') return 'It is private.'
  if (status.uploadStatus === 'deleted') return NO_SUCH_VIDEO
  if (status.uploadStatus === 'rejected' || status.uploadStatus === 'failed') return 'YouTube rejected it.'
  if (!status.embeddable) return 'Its owner does not allow it to be embedded.'
  if (details?.contentRating?.ytRating === 'ytAgeRestricted') return 'It is age-restricted.'
  if (details?.regionRestriction?.allowed?.length === 0) return 'It is blocked in every country.'
  return null
}

/** Countries of ISO 3166-1, and how many of them a video plays in that is not regional: four of five. */
const COUNTRIES = { all: 249, min: 200 }

function countCountries(restriction: { allowed?: string[]; blocked?: string[] } | undefined): number {
  return restriction?.allowed?.length ?? COUNTRIES.all - (restriction?.blocked?.length ?? 0)
}

/** ISO 8601, such as PT3M21S, in milliseconds; null when missing and for a live stream's P0D. */
function durationOf(text: string | undefined): number | null {
  const [, ...parts] = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text ?? '') ?? []
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 || null
}

/** Search returns HTML-escaped titles, unlike every other call. */
function unescapeHtml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

const Reasons = z.array(z.object({ reason: z.string().optional() })).optional()
const Failure = z.object({ error: z.object({ message: z.string(), errors: Reasons, details: Reasons }) })

const Video = z.object({
  id: z.string(),
  snippet: z.object({ title: Line, channelTitle: Line }),
  status: z.object({ uploadStatus: z.string(), privacyStatus: z.string(), embeddable: z.boolean() }),
  contentDetails: z
    .object({
      duration: z.string().optional(),
      contentRating: z.object({ ytRating: z.string().optional() }).optional(),
      regionRestriction: z
        .object({ allowed: z.array(z.string()).optional(), blocked: z.array(z.string()).optional() })
        .optional(),
    })
    .optional(),
})

const VideosBody = z.object({ items: z.array(Video) })

const SearchBody = z.object({
  items: z.array(
    z.object({
      id: z.object({ videoId: z.string() }),
      snippet: z.object({ title: Line, channelTitle: Line }),
    }),
  ),
})
