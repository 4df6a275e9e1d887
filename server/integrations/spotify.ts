import type { Logger } from 'pino'
import { z } from 'zod'
import { Line } from '../../contract/texts.ts'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { throttleFor } from './rateLimiter.ts'
import { createService, ServiceFailure, type ServiceResponse } from './service.ts'

/** A track at Spotify. Applications created since 2024 get neither preview nor popularity (diagnostics-19). */
export interface FoundTrack {
  trackId: string
  name: string
  artists: string[]
  album: string
  /** 0 to 100. */
  popularity: number | null
  previewUrl: string | null
  albumArt: string | null
  spotifyUrl: string
}

export interface Spotify {
  /** At most five tracks in Spotify's order. `bad-key`: Spotify rejected the credentials. */
  search(artist: string, title: string): Promise<FoundTrack[] | 'no-key' | 'bad-key' | 'away'>
  /** The track with this id; an empty list when there is none. */
  find(trackId: string): Promise<FoundTrack[] | 'no-key' | 'bad-key' | 'away'>
}

const THROTTLE = { limit: 10, interval: 1000 }

/** Milliseconds before its expiry at which a token is replaced. */
const TOKEN_MARGIN = 60_000

/** Client credentials flow: https://developer.spotify.com/documentation/web-api */
export function createSpotify(env: Env, log: Logger, db: Queryable): Spotify {
  const create = (name: string, address: string, host: string) =>
    createService(log, db, {
      name,
      timeout: 2000,
      totalTimeout: 2200,
      throttle: throttleFor(address, host, THROTTLE),
    })
  const accounts = create('Spotify accounts', env.SPOTIFY_ACCOUNTS_URL, 'accounts.spotify.com')
  const api = create('Spotify', env.SPOTIFY_API_URL, 'api.spotify.com')
  const { SPOTIFY_CLIENT_ID: id, SPOTIFY_CLIENT_SECRET: secret } = env
  let token: { value: string; until: number } | null = null
  let tokenRequest: Promise<TokenAnswer> | null = null

  async function getToken(): Promise<TokenAnswer> {
    if (token && Date.now() < token.until) return { bearer: token.value }
    // Concurrent callers share one token request.
    tokenRequest ??= requestToken().finally(() => {
      tokenRequest = null
    })
    return tokenRequest
  }

  async function requestToken(): Promise<TokenAnswer> {
    const reply = await accounts.ask(new URL(`${env.SPOTIFY_ACCOUNTS_URL}/api/token`), readToken, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    if ('failure' in reply) return { refusal: 'away' }
    if (!reply.value) return { refusal: 'bad-key' }
    const { access_token, expires_in } = reply.value
    token = { value: access_token, until: Date.now() + expires_in * 1000 - TOKEN_MARGIN }
    return { bearer: access_token }
  }

  async function ask(
    path: string,
    read: (response: ServiceResponse) => FoundTrack[] | 'old-token',
  ): Promise<FoundTrack[] | 'no-key' | 'bad-key' | 'away'> {
    if (!id || !secret) return 'no-key'
    for (let tries = 0; tries < 2; tries++) {
      const answer = await getToken()
      if ('refusal' in answer) return answer.refusal
      const headers = { authorization: `Bearer ${answer.bearer}` }
      const reply = await api.ask(new URL(`${env.SPOTIFY_API_URL}/v1/${path}`), read, { headers })
      if ('failure' in reply) return 'away'
      if (reply.value !== 'old-token') return reply.value
      // The token was revoked early: retry with a new one.
      token = null
    }
    return 'bad-key'
  }

  return {
    search(artist, title) {
      const q = `track:"${removeQuotes(title)}" artist:"${removeQuotes(artist)}"`
      return ask(`search?${new URLSearchParams({ q, type: 'track', limit: '5' })}`, readTracks)
    },
    find: (trackId) => ask(`tracks/${encodeURIComponent(trackId)}`, readTrack),
  }
}

type TokenAnswer = { bearer: string } | { refusal: 'bad-key' | 'away' }

/** Null when the credentials are rejected. */
function readToken({ status, body }: ServiceResponse) {
  if (status === 200) return Token.parse(body)
  if (status === 400 || status === 401) return null
  throw new ServiceFailure(`status ${status}`)
}

function readTracks({ status, body }: ServiceResponse): FoundTrack[] | 'old-token' {
  if (status === 401) return 'old-token'
  if (status !== 200) throw new ServiceFailure(`status ${status}`)
  return Tracks.parse(body).tracks.items.map(toTrack)
}

/** Spotify answers 400 for an id that cannot exist. */
function readTrack({ status, body }: ServiceResponse): FoundTrack[] | 'old-token' {
  if (status === 401) return 'old-token'
  if (status === 400 || status === 404) return []
  if (status !== 200) throw new ServiceFailure(`status ${status}`)
  return [toTrack(Track.parse(body))]
}

const toTrack = (track: z.infer<typeof Track>): FoundTrack => ({
  trackId: track.id,
  name: track.name,
  artists: track.artists.map(({ name }) => name),
  album: track.album.name,
  popularity: track.popularity ?? null,
  previewUrl: track.preview_url ?? null,
  albumArt: track.album.images?.[0]?.url ?? null,
  spotifyUrl: track.external_urls?.spotify ?? `https://open.spotify.com/track/${track.id}`,
})

const removeQuotes = (text: string) => text.replaceAll('"', ' ').trim()

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() })

const Track = z.object({
  id: z.string(),
  name: Line,
  artists: z.array(z.object({ name: Line })),
  album: z.object({ name: Line, images: z.array(z.object({ url: z.string() })).optional() }),
  popularity: z.number().int().min(0).max(100).nullish(),
  preview_url: z.string().nullish(),
  external_urls: z.object({ spotify: z.string() }).partial().optional(),
})

const Tracks = z.object({ tracks: z.object({ items: z.array(Track) }) })
