import type { Logger } from 'pino'
import { z } from 'zod'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { userAgent } from './musicbrainz.ts'
import { throttleFor } from './rateLimiter.ts'
import { createService, ServiceFailure, type ServiceResponse } from './service.ts'

/** A page of Discogs: a release, or the master of several. */
export interface DiscogsPage {
  kind: 'master' | 'release'
  id: string
}

/** A video that somebody added to a page, for any of its songs. */
export interface DiscogsVideo {
  address: string
  title: string
  /** Null when unknown. */
  durationMs: number | null
  embeddable: boolean
}

export interface Discogs {
  /** The videos of a page; none when it was removed. */
  videos(page: DiscogsPage): Promise<{ videos: DiscogsVideo[] } | 'bad-token' | { error: string }>
}

/** Calls per minute: https://www.discogs.com/developers#page:home,header:home-rate-limiting */
const MAX_CALLS = { withToken: 60, withoutToken: 25 }

export function createDiscogs(env: Env, log: Logger, db: Queryable): Discogs {
  const { DISCOGS_TOKEN, DISCOGS_URL } = env
  const service = createService(log, db, {
    name: 'Discogs',
    timeout: 20_000,
    totalTimeout: 150_000,
    throttle: throttleFor(DISCOGS_URL, 'api.discogs.com', {
      limit: DISCOGS_TOKEN ? MAX_CALLS.withToken : MAX_CALLS.withoutToken,
      interval: 60_000,
    }),
    isPatient: true,
  })
  const headers = {
    Accept: 'application/json',
    'User-Agent': userAgent(env),
    ...(DISCOGS_TOKEN ? { Authorization: `Discogs token=${DISCOGS_TOKEN}` } : {}),
  }
  return {
    async videos({ kind, id }) {
      const reply = await service.ask(new URL(`${DISCOGS_URL}/${kind}s/${id}`), readVideos, { headers })
      return 'value' in reply ? reply.value : { error: reply.failure }
    },
  }
}

/** The page of an address such as https://www.discogs.com/master/9486-Slowdive-Souvlaki; null for another one. */
export function parseDiscogsAddress(address: string): DiscogsPage | null {
  const [, kind, id] =
    /^https?:\/\/(?:www\.)?discogs\.com\/(?:[\w/-]+\/)?(master|release)\/(?:view\/)?(\d{1,12})\b/.exec(
      address,
    ) ?? []
  return kind && id ? { kind: kind as DiscogsPage['kind'], id } : null
}

function readVideos({ status, body }: ServiceResponse): { videos: DiscogsVideo[] } | 'bad-token' {
  if (status === 401) return 'bad-token'
  if (status === 404) return { videos: [] }
  if (status !== 200) throw new ServiceFailure(`status ${status}`)
  return {
    // A broken one must not hide the others.
    videos: (Page.parse(body).videos ?? []).flatMap((video) => {
      const { data } = Video.safeParse(video)
      if (!data) return []
      const { uri, title, duration, embed } = data
      return [
        { address: uri, title, durationMs: duration ? duration * 1000 : null, embeddable: embed ?? true },
      ]
    }),
  }
}

const Page = z.object({ id: z.number(), videos: z.array(z.unknown()).nullish() })

const Video = z.object({
  uri: z.string(),
  title: z.string(),
  /** Seconds; 0 when unknown. */
  duration: z.number().int().min(0).max(86_400).nullish(),
  embed: z.boolean().nullish(),
})
