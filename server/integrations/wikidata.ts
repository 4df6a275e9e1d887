import type { Logger } from 'pino'
import { z } from 'zod'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { MBID, userAgent } from './musicbrainz.ts'
import { throttleFor } from './rateLimiter.ts'
import { createService, ServiceFailure, type ServiceResponse } from './service.ts'

export interface Wikidata {
  /**
   * The YouTube ids of the songs with these ids at MusicBrainz, by that id. An id without a video is absent.
   */
  videos(mbids: {
    recordings: readonly string[]
    works: readonly string[]
  }): Promise<{ videos: Map<string, string[]> } | { error: string }>
}

/** Wikidata wants one query at a time, and at most a minute of its time per minute. */
const THROTTLE = { limit: 1, interval: 1000 }

/**
 * Wikidata's Query Service. It wants a User-Agent with a contact, and answers 429 with Retry-After:
 * https://www.mediawiki.org/wiki/Wikidata_Query_Service/User_Manual#Query_limits
 */
export function createWikidata(env: Env, log: Logger, db: Queryable): Wikidata {
  const service = createService(log, db, {
    name: 'Wikidata',
    // A query may take a minute.
    timeout: 65_000,
    totalTimeout: 150_000,
    throttle: throttleFor(env.WIKIDATA_URL, 'query.wikidata.org', THROTTLE),
    isPatient: true,
  })
  const headers = { Accept: 'application/sparql-results+json', 'User-Agent': userAgent(env) }

  return {
    async videos({ recordings, works }) {
      const queriedIds = { P4404: recordings.filter(isMbid), P435: works.filter(isMbid) }
      if (queriedIds.P4404.length + queriedIds.P435.length === 0) return { videos: new Map() }
      const url = new URL(`${env.WIKIDATA_URL}/sparql`)
      url.search = new URLSearchParams({ query: queryOf(queriedIds) }).toString()
      const reply = await service.ask(url, readVideos, { headers })
      return 'value' in reply ? { videos: reply.value } : { error: reply.failure }
    },
  }
}

const isMbid = (text: string) => MBID.test(text)

/**
 * P4404 is an item's recording at MusicBrainz, P435 its work, P1651 its YouTube video. `wdt:` leaves out deprecated
 * values.
 */
const queryOf = (queriedIds: Record<'P4404' | 'P435', string[]>) => `
SELECT DISTINCT ?mbid ?video WHERE {
  ${Object.entries(queriedIds)
    .filter(([, mbids]) => mbids.length > 0)
    .map(
      ([property, mbids]) =>
        `{ VALUES ?mbid { ${mbids.map((mbid) => `"${mbid}"`).join(' ')} } ?item wdt:${property} ?mbid }`,
    )
    .join(' UNION ')}
  ?item wdt:P1651 ?video
}
ORDER BY ?mbid ?video`

function readVideos({ status, body }: ServiceResponse): Map<string, string[]> {
  if (status !== 200) throw new ServiceFailure(`status ${status}`)
  const videos = new Map<string, string[]>()
  for (const { mbid, video } of Results.parse(body).results.bindings) {
    videos.set(mbid.value, [...(videos.get(mbid.value) ?? []), video.value])
  }
  return videos
}

const Literal = z.object({ value: z.string() })

/** https://www.w3.org/TR/sparql11-results-json */
const Results = z.object({
  results: z.object({ bindings: z.array(z.object({ mbid: Literal, video: Literal })) }),
})
