import type { Logger } from 'pino'
import { z } from 'zod'
import { Line } from '../../contract/texts.ts'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { throttleFor } from './rateLimiter.ts'
import { createService, ServiceFailure, type ServiceResponse } from './service.ts'

export interface DeezerTrack {
  id: string
  title: string
  artist: string
  isrc: string | null
  albumArt: string | null
  durationMs: number | null
  /** Signed, expires within hours. Some tracks have none. */
  previewUrl: string | null
}

/** The result of a search; failures are values. */
export type DeezerAnswer = { tracks: DeezerTrack[] } | { error: string }

export interface Deezer {
  /** At most ten tracks. Answers within four seconds. */
  search(artist: string, title: string): Promise<DeezerAnswer>
  /** At most ten tracks for words of title and artist. */
  searchWords(words: string): Promise<DeezerAnswer>
  /** The track with a fresh preview address; no tracks when it was removed. */
  find(trackId: string): Promise<DeezerAnswer>
  /** One of the tracks with this ISRC. Others may have it too, and it may belong to another song. */
  findByIsrc(isrc: string): Promise<DeezerAnswer>
}

/** Deezer allows 50 requests in 5 seconds per address. This leaves some for others at the same one. */
const THROTTLE = { limit: 40, interval: 5000 }

export const DEEZER_UNAVAILABLE = 'The preview service does not answer right now.'

export function createDeezer(env: Env, log: Logger, db: Queryable): Deezer {
  // A listener is waiting without sound, and a call may take five seconds.
  const service = createService(log, db, {
    name: 'Deezer',
    timeout: 3000,
    totalTimeout: 4000,
    throttle: throttleFor(env.DEEZER_URL, 'api.deezer.com', THROTTLE),
  })

  async function send(path: string, read: (body: unknown) => DeezerTrack[]): Promise<DeezerAnswer> {
    const reply = await service.ask(new URL(path, `${env.DEEZER_URL}/`), (response) =>
      read(readBody(response)),
    )
    return 'value' in reply ? { tracks: reply.value } : { error: DEEZER_UNAVAILABLE }
  }

  const underWay = new Map<string, Promise<DeezerAnswer>>()

  /** Callers who ask the same at the same time share one request. */
  function ask(path: string, read: (body: unknown) => DeezerTrack[]): Promise<DeezerAnswer> {
    const answer = underWay.get(path) ?? send(path, read).finally(() => underWay.delete(path))
    underWay.set(path, answer)
    return answer
  }

  const searchWords = (words: string) =>
    ask(`search?q=${encodeURIComponent(words)}&limit=10`, (body) =>
      SearchBody.parse(body).data.flatMap(toTrack),
    )

  return {
    search: (artist, title) => searchWords(`artist:"${removeQuotes(artist)}" track:"${removeQuotes(title)}"`),
    searchWords,
    find: (trackId) => ask(`track/${encodeURIComponent(trackId)}`, (body) => toTrack(Track.parse(body))),
    findByIsrc: (isrc) => ask(`track/isrc:${encodeURIComponent(isrc)}`, (body) => toTrack(Track.parse(body))),
  }
}

/** Deezer reports errors with status 200. @throws ServiceFailure when it is busy or over its quota (error 4). */
function readBody({ status, body }: ServiceResponse): unknown {
  if (status !== 200) throw new ServiceFailure(`status ${status}`)
  const failure = Failure.safeParse(body)
  // 800 is 'no data': the track was removed, which is an answer.
  if (failure.success && failure.data.error.code !== 800) {
    throw new ServiceFailure(`error ${failure.data.error.code}`)
  }
  return failure.success ? { data: [] } : body
}

function toTrack(track: z.infer<typeof Track>): DeezerTrack[] {
  if (!track.id || !track.title) return []
  return [
    {
      id: String(track.id),
      title: track.title,
      artist: track.artist?.name ?? '',
      isrc: track.isrc?.toUpperCase() || null,
      albumArt: track.album?.cover_xl ?? track.album?.cover_big ?? null,
      durationMs: track.duration ? Math.round(track.duration * 1000) : null,
      previewUrl: track.preview || null,
    },
  ]
}

const removeQuotes = (text: string) => text.replaceAll('"', ' ').trim()

const Failure = z.object({ error: z.object({ code: z.number() }) })

const Track = z.object({
  id: z.union([z.number(), z.string()]).optional(),
  title: z.optional(Line),
  isrc: z.string().nullish(),
  /** Seconds. */
  duration: z.number().nullish(),
  preview: z.string().nullish(),
  artist: z.object({ name: Line }).optional(),
  album: z.object({ cover_xl: z.string().nullish(), cover_big: z.string().nullish() }).optional(),
})

const SearchBody = z.object({ data: z.array(Track) })
