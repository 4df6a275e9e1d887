import { setTimeout as wait } from 'node:timers/promises'
import { ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel'
import pThrottle from 'p-throttle'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Env } from '../env.ts'

/** A track as Deezer knows it. The preview's address is signed and expires within hours. */
export interface DeezerTrack {
  id: string
  title: string
  artist: string
  albumArt: string | null
  previewUrl: string
}

/** What a search came to; a failure outside is a value, not a throw. */
export type DeezerAnswer = { tracks: DeezerTrack[] } | { error: string }

export interface Deezer {
  /** At most ten tracks that have a preview. Answers within three seconds. */
  search(artist: string, title: string): Promise<DeezerAnswer>
  /** The track again, with a fresh preview address; no tracks when it is gone. */
  find(trackId: string): Promise<DeezerAnswer>
}

/** Milliseconds for one request: a listener waits in silence. */
const TIMEOUT = 3000

/** Milliseconds for an answer, the wait for its turn included; a call may take five seconds. */
const PATIENCE = 4000

/** Deezer takes 50 requests in 5 seconds from one address; the rest is left to other processes. */
const LIMIT = { limit: 40, interval: 5000 }

/** After five failures in a row Deezer is left alone for 20 seconds. */
const BREAKER = { failures: 5, pause: 20_000 }

export function createDeezer(env: Env, log: Logger): Deezer {
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: BREAKER.pause,
    breaker: new ConsecutiveBreaker(BREAKER.failures),
  })
  const throttle = pThrottle(LIMIT)
  const get = throttle((path: string) => breaker.execute(() => request(new URL(path, `${env.DEEZER_URL}/`))))

  async function ask(path: string, read: (body: unknown) => DeezerTrack[]): Promise<DeezerAnswer> {
    try {
      return { tracks: read(await Promise.race([get(path), runOutOfPatience()])) }
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'Deezer did not answer')
      return { error: 'The preview service does not answer right now.' }
    }
  }

  return {
    search: (artist, title) => {
      const query = `artist:"${quotable(artist)}" track:"${quotable(title)}"`
      return ask(`search?q=${encodeURIComponent(query)}&limit=10`, (body) =>
        SearchBody.parse(body).data.flatMap(toTrack),
      )
    },
    find: (trackId) => ask(`track/${encodeURIComponent(trackId)}`, (body) => toTrack(Track.parse(body))),
  }
}

async function runOutOfPatience(): Promise<never> {
  await wait(PATIENCE, undefined, { ref: false })
  throw new Error('too many questions at once')
}

/** @throws when Deezer is away, slow, over its quota (error 4), or answers something else than JSON. */
async function request(url: URL): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT), redirect: 'error' })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const body: unknown = await response.json()
  const failure = Failure.safeParse(body)
  // 800 is 'no data': the track is gone, which is an answer.
  if (failure.success && failure.data.error.code !== 800) throw new Error(`error ${failure.data.error.code}`)
  return failure.success ? { data: [] } : body
}

function toTrack(track: z.infer<typeof Track>): DeezerTrack[] {
  if (!track.preview || !track.id || !track.title) return []
  return [
    {
      id: String(track.id),
      title: track.title,
      artist: track.artist?.name ?? '',
      albumArt: track.album?.cover_xl ?? track.album?.cover_big ?? null,
      previewUrl: track.preview,
    },
  ]
}

const quotable = (text: string) => text.replaceAll('"', ' ').trim()

const Failure = z.object({ error: z.object({ code: z.number() }) })

const Track = z.object({
  id: z.union([z.number(), z.string()]).optional(),
  title: z.string().optional(),
  preview: z.string().nullish(),
  artist: z.object({ name: z.string() }).optional(),
  album: z.object({ cover_xl: z.string().nullish(), cover_big: z.string().nullish() }).optional(),
})

const SearchBody = z.object({ data: z.array(Track) })
