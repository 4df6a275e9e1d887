import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { takeFromBudget } from './dailyBudget.ts'
import { createProviderCache } from './providerCache.ts'
import { type VideoAnswer, type VideoFacts, YOUTUBE_UNAVAILABLE } from './video.ts'
import { createYoutubeData, type FoundVideo, MAX_LISTED_VIDEOS, type YoutubeRefusal } from './youtubeData.ts'
import { createYoutubeOembed } from './youtubeOembed.ts'

export interface Youtube {
  /**
   * Facts about each video: by the Data API with a key, else (and beyond its quota) by oEmbed. Cached for hours
   * unless `fresh`. Answers within five seconds for 20 videos.
   */
  check(
    videoIds: readonly string[],
    options?: { fresh?: boolean },
  ): Promise<Map<string, VideoAnswer> | 'bad-key'>
  /** Asks in every way, and returns each answer. */
  checkEveryStrategy(videoId: string): Promise<Strategy[] | 'bad-key'>
  /** Embeddable videos for these words, in YouTube's order. `reserve` searches of the day are left for others. */
  search(
    words: string,
    options?: { leave?: number },
  ): Promise<FoundVideo[] | YoutubeRefusal | 'no-key' | 'budget'>
}

export interface Strategy {
  name: string
  /** Null when this way needs a key. */
  answer: VideoAnswer | null
}

/** Searches per day: each costs 100 of Google's 10,000 daily units. */
export const MAX_SEARCHES_PER_DAY = 100

/** Their budget. */
export const SEARCH_BUDGET = 'youtube-search'

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

    async search(words, { leave = 0 } = {}) {
      if (!data) return 'no-key'
      const key = words.toLowerCase()
      const cached = (await searches.read([key])).get(key)
      if (cached) return cached.found
      if (!(await takeFromBudget(db, SEARCH_BUDGET, MAX_SEARCHES_PER_DAY - leave))) return 'budget'
      const found = await data.search(words)
      if (Array.isArray(found)) await searches.write(new Map([[key, { found }]]), CACHE_SECONDS.search)
      return found
    },
  }
}

const QUOTA_EXCEEDED = 'The day’s quota is used up.'
