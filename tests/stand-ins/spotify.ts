import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Behaviour, listen, misbehave, sendJson } from './behaviour.ts'

export interface KnownTrack {
  name: string
  artists: string[]
  album?: string
  /** Absent for applications created since 2024. */
  popularity?: number
  previewUrl?: string | null
  art?: string
}

export interface Spotify {
  /** For SPOTIFY_ACCOUNTS_URL and SPOTIFY_API_URL. */
  url: string
  /** The only accepted credentials. */
  clientId: string
  clientSecret: string
  /** Tracks that every search finds, in this order. */
  know(...tracks: KnownTrack[]): void
  behave(behaviour: Behaviour): void
  /** Revokes all tokens issued so far. */
  takeTokensBack(): void
  /** Calls in order: `token`, `search:query`, `track:id`. */
  requests: string[]
  reset(): void
  close(): Promise<void>
}

/** A stand-in for Spotify's accounts service and Web API, with client credentials. */
export async function startSpotify(): Promise<Spotify> {
  const [clientId, clientSecret] = ['stand-in-id', 'stand-in-secret']
  const requests: string[] = []
  let tracks: KnownTrack[] = []
  let behaviour: Behaviour = 'ok'
  let generation = 1

  const { port, close } = await listen((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const isToken = request.method === 'POST' && url.pathname === '/api/token'
    const trackId = /^\/v1\/tracks\/(\w+)$/.exec(url.pathname)?.[1]
    requests.push(isToken ? 'token' : trackId ? `track:${trackId}` : `search:${url.searchParams.get('q')}`)
    if (misbehave(behaviour, response, 1)) return
    if (isToken) return giveToken(request, response)
    if (url.pathname === '/v1/search') return search(request, response)
    if (trackId) return track(trackId, request, response)
    sendJson(response, 404, { error: { status: 404, message: 'Service not found' } })
  })

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

  return {
    url: `http://127.0.0.1:${port}`,
    clientId,
    clientSecret,
    know: (...knownTracks) => {
      tracks = knownTracks
    },
    behave(next) {
      behaviour = next
    },
    takeTokensBack() {
      generation += 1
    },
    requests,
    reset() {
      tracks = []
      behaviour = 'ok'
      generation += 1
      requests.length = 0
    },
    close,
  }
}
