import type { IncomingMessage, ServerResponse } from 'node:http'
import { type StandIn, sendJson, startStandIn } from './behaviour.ts'

export interface KnownTrack {
  name: string
  artists: string[]
  album?: string
  /** Absent for applications created since 2024. */
  popularity?: number
  previewUrl?: string | null
  art?: string
}

/** `requests` are `token`, `search:query`, `track:id`. */
export interface Spotify extends StandIn {
  /** The only accepted credentials. */
  clientId: string
  clientSecret: string
  /** Tracks that every search finds, in this order. */
  know(...tracks: KnownTrack[]): void
  /** Revokes all tokens issued so far. */
  takeTokensBack(): void
}

/** A stand-in for Spotify's accounts service and Web API, with client credentials. */
export async function startSpotify(): Promise<Spotify> {
  const [clientId, clientSecret] = ['stand-in-id', 'stand-in-secret']
  let tracks: KnownTrack[] = []
  let generation = 1
  const isToken = (url: URL) => url.pathname === '/api/token'
  const trackIdOf = (url: URL) => /^\/v1\/tracks\/(\w+)$/.exec(url.pathname)?.[1]

  function describe(url: URL) {
    const trackId = trackIdOf(url)
    return isToken(url) ? 'token' : trackId ? `track:${trackId}` : `search:${url.searchParams.get('q')}`
  }

  function answer(url: URL, request: IncomingMessage, response: ServerResponse) {
    const trackId = trackIdOf(url)
    if (isToken(url) && request.method === 'POST') return giveToken(request, response)
    if (url.pathname === '/v1/search') return search(request, response)
    if (trackId) return track(trackId, request, response)
    sendJson(response, 404, { error: { status: 404, message: 'Service not found' } })
  }

  function giveToken(request: IncomingMessage, response: ServerResponse) {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    if (request.headers.authorization !== `Basic ${basic}`) {
      return sendJson(response, 400, { error: 'invalid_client', error_description: 'Invalid client' })
    }
    sendJson(response, 200, { access_token: `token-${generation}`, token_type: 'Bearer', expires_in: 3600 })
  }

  function search(request: IncomingMessage, response: ServerResponse) {
    if (request.headers.authorization !== `Bearer token-${generation}`) {
      return sendJson(response, 401, { error: { status: 401, message: 'The access token expired' } })
    }
    const items = playlistItems()
    sendJson(response, 200, { tracks: { href: '', items, limit: 5, offset: 0, total: items.length } })
  }

  function track(id: string, request: IncomingMessage, response: ServerResponse) {
    if (request.headers.authorization !== `Bearer token-${generation}`) {
      return sendJson(response, 401, { error: { status: 401, message: 'The access token expired' } })
    }
    const listedTrack = playlistItems().find((item) => item.id === id)
    if (listedTrack) sendJson(response, 200, listedTrack)
    else sendJson(response, 404, { error: { status: 404, message: 'Resource not found' } })
  }

  /** The first has the id `track00000000000000000000`. */
  function playlistItems() {
    return tracks.map(({ name, artists, album = name, popularity, previewUrl = null, art }, i) => {
      const id = `track${i}`.padEnd(22, '0')
      return {
        id,
        name,
        type: 'track',
        artists: artists.map((artist) => ({ name: artist, type: 'artist' })),
        album: { name: album, images: art ? [{ url: art, height: 640, width: 640 }] : [] },
        ...(popularity === undefined ? {} : { popularity }),
        preview_url: previewUrl,
        external_urls: { spotify: `https://open.spotify.com/track/${id}` },
      }
    })
  }

  const standIn = await startStandIn({
    describe,
    answer,
    forget() {
      tracks = []
      generation += 1
    },
  })
  return {
    ...standIn,
    clientId,
    clientSecret,
    know: (...knownTracks) => {
      tracks = knownTracks
    },
    takeTokensBack() {
      generation += 1
    },
  }
}
