import type { Logger } from 'pino'
import { z } from 'zod'
import { Line } from '../../contract/texts.ts'
import type { Database, Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { createProviderCache } from './providerCache.ts'
import { throttleFor } from './rateLimiter.ts'
import { createService, ServiceFailure, type ServiceResponse } from './service.ts'
import {
  NO_SUCH_VIDEO,
  unplayableVideo,
  type VideoAnswer,
  type VideoFacts,
  YOUTUBE_UNAVAILABLE,
} from './video.ts'
import { createYoutubeData, type FoundVideo, MAX_LISTED_VIDEOS, type YoutubeRefusal } from './youtubeData.ts'

export interface Youtube {
  /**
   * Facts about each video: by the Data API with a key, else (and beyond its quota) by oEmbed. Cached for hours
   * unless `fresh`. Answers within five seconds for 20 videos.
   */
  check(
    videoIds: readonly string[],
    options?: { fresh?: boolean },
  ): Promise<Map<string, VideoAnswer> | 'bad-key'>
  /** The answers of the Data API and of oEmbed. */
  checkEveryStrategy(videoId: string): Promise<Strategy[] | 'bad-key'>
  /** Embeddable videos for these words, in YouTube's order. `reserve` searches of the day are left for others. */
  search(
    words: string,
    options?: { reserve?: number },
  ): Promise<FoundVideo[] | YoutubeRefusal | 'no-key' | 'budget'>
}

export interface Strategy {
  name: string
  /** Null without the key that it needs. */
  answer: VideoAnswer | null
}

/** Searches per day: each costs 100 of Google's 10,000 daily units. */
export const MAX_SEARCHES_PER_DAY = 100

/** Seconds that answers are cached. A missing video may become available again. */
const CACHE_SECONDS = { playable: 6 * 3600, unplayable: 3600, search: 24 * 3600 }

export function createYoutube(env: Env, log: Logger, db: Database): Youtube {
  const data = env.YOUTUBE_API_KEY ? createYoutubeData(env, env.YOUTUBE_API_KEY, log, db) : null
  const askOembed = createYoutubeOembed(env, log, db)
  const videos = createProviderCache<VideoFacts>(db, 'youtube-video-2')
  const searches = createProviderCache<{ found: FoundVideo[] }>(db, 'youtube-search')

  async function ask(videoIds: readonly string[]): Promise<Map<string, VideoAnswer> | 'bad-key'> {
    const listed = data ? await data.list(videoIds) : 'quota'
    if (listed === 'bad-key') return listed
    if (listed instanceof Map) return listed
    if (listed === 'away') return new Map(videoIds.map((id) => [id, { error: YOUTUBE_UNAVAILABLE }]))
    return new Map(await Promise.all(videoIds.map(async (id) => [id, await askOembed(id)] as const)))
  }

  return {
    async check(videoIds, { fresh = false } = {}) {
      const wanted = [...new Set(videoIds)]
      const answers: Map<string, VideoAnswer> = fresh ? new Map() : await videos.read(wanted)
      const unknown = wanted.filter((id) => !answers.has(id))
      for (let i = 0; i < unknown.length; i += MAX_LISTED_VIDEOS) {
        const chunkAnswers = await ask(unknown.slice(i, i + MAX_LISTED_VIDEOS))
        if (chunkAnswers === 'bad-key') return chunkAnswers
        const facts = [...chunkAnswers].flatMap(([id, answer]) =>
          'error' in answer ? [] : [[id, answer] as const],
        )
        await videos.write(new Map(facts.filter(([, { embeddable }]) => embeddable)), CACHE_SECONDS.playable)
        await videos.write(
          new Map(facts.filter(([, { embeddable }]) => !embeddable)),
          CACHE_SECONDS.unplayable,
        )
        for (const [id, answer] of chunkAnswers) answers.set(id, answer)
      }
      return answers
    },

    async checkEveryStrategy(videoId) {
      const [listed, embedded] = await Promise.all([data?.list([videoId]), askOembed(videoId)])
      if (listed === 'bad-key') return listed
      const answer =
        listed instanceof Map
          ? listed.get(videoId)
          : { error: listed === 'quota' ? QUOTA_EXCEEDED : YOUTUBE_UNAVAILABLE }
      return [
        { name: 'YouTube Data API', answer: data && answer ? answer : null },
        { name: 'YouTube oEmbed', answer: embedded },
      ]
    },

    async search(words, { reserve = 0 } = {}) {
      if (!data) return 'no-key'
      const key = words.toLowerCase()
      const cached = (await searches.read([key])).get(key)
      if (cached) return cached.found
      if (!(await claimSearch(db, MAX_SEARCHES_PER_DAY - reserve))) return 'budget'
      const found = await data.search(words)
      if (Array.isArray(found)) await searches.write(new Map([[key, { found }]]), CACHE_SECONDS.search)
      return found
    },
  }
}

const QUOTA_EXCEEDED = 'The day’s quota is used up.'

/** Google's day, which ends at midnight Pacific time. */
const today = (db: Queryable) => db`(now() at time zone 'America/Los_Angeles')::date`

/** Searches of today, by all server processes. */
export async function countSearches(db: Queryable): Promise<number> {
  const [row] = await db<{ used: number }[]>`
    select used from provider_quotas where provider = 'youtube-search' and day = ${today(db)}`
  return row?.used ?? 0
}

/** Counts a search; false when `max` searches were made today. */
async function claimSearch(db: Database, max: number): Promise<boolean> {
  const claimed = await db`
    insert into provider_quotas as q (provider, day, used)
    values ('youtube-search', ${today(db)}, 1)
    on conflict (provider, day) do update set used = q.used + 1 where q.used < ${max}`
  return claimed.count === 1
}

/** No limit is documented; this rate is polite. */
const OEMBED_THROTTLE = { limit: 20, interval: 1000 }

/** Asks about one video without a key: https://oembed.com. Answers within four seconds. */
function createYoutubeOembed(
  env: Env,
  log: Logger,
  db: Queryable,
): (videoId: string) => Promise<VideoAnswer> {
  const service = createService(log, db, {
    name: 'YouTube oEmbed',
    timeout: 3000,
    totalTimeout: 3500,
    throttle: throttleFor(env.YOUTUBE_OEMBED_URL, 'www.youtube.com', OEMBED_THROTTLE),
  })
  return async (videoId) => {
    const url = new URL(env.YOUTUBE_OEMBED_URL)
    url.searchParams.set('url', `https://www.youtube.com/watch?v=${videoId}`)
    url.searchParams.set('format', 'json')
    const reply = await service.ask(url, readOembed)
    return 'value' in reply ? reply.value : { error: YOUTUBE_UNAVAILABLE }
  }
}

/** The status says more than the body. */
function readOembed({ status, body }: ServiceResponse): VideoFacts {
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
