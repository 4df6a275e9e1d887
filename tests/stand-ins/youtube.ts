import type { IncomingMessage, ServerResponse } from 'node:http'
import sharp from 'sharp'
import { listen } from './behaviour.ts'
import { embedPage, iframeApi } from './youtubePages.ts'

/** How one video behaves. Default: a video of three minutes that plays. */
export interface VideoBehaviour {
  /** The error of the first, second … embed; null or beyond the end: it plays. */
  errors?: readonly (number | null)[]
  /** Milliseconds until the player is ready; 'never' for one that is never ready. */
  ready?: number | 'never'
  /** Seconds. */
  duration?: number
  /** Milliseconds between play and the first sound. */
  buffering?: number
  /** Simulates a page without a user gesture: sound makes it pause. */
  refusesSound?: boolean
}

/** One embed, or one video cued in an existing player. */
export interface Embedding {
  videoId: string
  /** Which of the two hosts served the page. */
  host: 'youtube' | 'no-cookie'
  how: 'embedded' | 'cued'
  /** The player's parameters in the address; of a cued video its `start`. */
  parameters: Record<string, string>
  /** Milliseconds since 1970. */
  at: number
}

/** A call that the page made on a player: `playVideo`, `setVolume` with `[80]` … */
export interface PlayerCall {
  videoId: string
  name: string
  args: unknown[]
  /** Milliseconds by the page's clock, which a test may have paused. */
  at: number
  /** Its sequence number in the page. */
  number: number
}

export interface Youtube {
  /** For YOUTUBE_PLAYER_URL and YOUTUBE_IMAGE_URL. */
  url: string
  /** For YOUTUBE_NOCOOKIE_URL: the same server under its other name. */
  noCookieUrl: string
  behave(videoId: string, behaviour: VideoBehaviour): void
  /** Makes its thumbnail a 404, which is a small grey picture at YouTube. */
  losePicture(videoId: string): void
  embeddings: Embedding[]
  /** The calls in order; each arrives a moment after it was made. */
  calls: PlayerCall[]
  /** Clears behaviours and records. */
  reset(): void
  close(): Promise<void>
}

/** A stand-in for YouTube's embedded player: the IFrame API, its pages, thumbnails. See youtubePages.ts. */
export async function startYoutube(): Promise<Youtube> {
  const behaviours = new Map<string, VideoBehaviour>()
  const attempts = new Map<string, number>()
  const brokenEmbeds = new Set<string>()
  const embeddings: Embedding[] = []
  const calls: PlayerCall[] = []

  /** Counts the embed and returns how the video behaves in it. */
  function attempt(videoId: string, request: IncomingMessage, how: Embedding['how']) {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const host = request.headers.host?.startsWith('localhost') ? 'no-cookie' : 'youtube'
    embeddings.push({ videoId, host, how, parameters: Object.fromEntries(searchParams), at: Date.now() })
    const number = attempts.get(videoId) ?? 0
    attempts.set(videoId, number + 1)
    const {
      errors = [],
      ready = 30,
      duration = 180,
      buffering = 40,
      refusesSound = false,
    } = behaviours.get(videoId) ?? {}
    const error = errors[number] ?? refererError(request, how)
    const start = Number(searchParams.get('start') ?? 0)
    return { videoId, ready, duration, start, buffering, refusesSound, error }
  }

  const routes: [RegExp, (id: string, request: IncomingMessage, response: ServerResponse) => void][] = [
    [/^\/iframe_api$/, (_, __, response) => reply(response, 200, 'text/javascript', iframeApi)],
    [
      /^\/embed\/([\w-]+)$/,
      (id, request, response) =>
        reply(response, 200, 'text/html', embedPage(attempt(id, request, 'embedded'))),
    ],
    [
      /^\/cue\/([\w-]+)$/,
      (id, request, response) =>
        reply(response, 200, 'application/json', JSON.stringify(attempt(id, request, 'cued'))),
    ],
    [
      /^\/called$/,
      (_, request, response) => {
        read(request).then(
          (body) => {
            calls.push(JSON.parse(body) as PlayerCall)
            calls.sort((a, b) => a.at - b.at || a.number - b.number)
            reply(response, 204, 'text/plain', '')
          },
          // A page that closes may abort its message.
          () => response.destroy(),
        )
      },
    ],
    [
      /^\/vi\/([\w-]+)\/\w+\.jpg$/,
      async (id, _, response) =>
        brokenEmbeds.has(id)
          ? reply(response, 404, 'image/png', await noThumbnail())
          : reply(response, 200, 'image/png', await thumbnail(id)),
    ],
  ]

  const { port, close } = await listen((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    for (const [pattern, answer] of routes) {
      const match = pattern.exec(path)
      if (match) return answer(match[1] ?? '', request, response)
    }
    reply(response, 404, 'text/plain', 'not found')
  })

  return {
    url: `http://127.0.0.1:${port}`,
    noCookieUrl: `http://localhost:${port}`,
    behave: (videoId, behaviour) => void behaviours.set(videoId, behaviour),
    losePicture: (videoId) => void brokenEmbeds.add(videoId),
    embeddings,
    calls,
    reset() {
      behaviours.clear()
      attempts.clear()
      brokenEmbeds.clear()
      embeddings.length = 0
      calls.length = 0
    },
    close,
  }
}

/** Since 2025 a page that hides its embedding origin gets error 153. */
function refererError(request: IncomingMessage, how: Embedding['how']): number | null {
  return how === 'embedded' && !request.headers.referer ? 153 : null
}

function reply(response: ServerResponse, status: number, type: string, body: string | Buffer) {
  response.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  response.end(body)
}

async function read(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

/** By hue, because a page of tiles requests many at once. */
const thumbnails = new Map<number, Promise<Buffer>>()

/** A picture for every id, of pixels like YouTube's: browsers take longer to load an SVG document. */
function thumbnail(id: string): Promise<Buffer> {
  const hue = [...id].reduce((sum, letter) => sum + letter.charCodeAt(0) * 37, 0) % 360
  const drawn = thumbnails.get(hue) ?? draw(hue)
  thumbnails.set(hue, drawn)
  return drawn
}

/** Like most videos: 16:9 in a picture of 4:3, with black bars above and below. */
function draw(hue: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 360" width="480" height="360"><rect width="480" height="360" fill="#000"/><svg y="45" width="480" height="270"><rect width="480" height="270" fill="hsl(${hue} 55% 35%)"/><circle cx="${hue}" cy="135" r="110" fill="hsl(${(hue + 60) % 360} 70% 60%)"/></svg></svg>`
  return pngOf(svg)
}

/** YouTube's answer for a video without one: a grey picture, with status 404. */
const noThumbnail = () =>
  pngOf(
    '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="90"><rect width="120" height="90" fill="#808080"/></svg>',
  )

const pngOf = (svg: string) => sharp(Buffer.from(svg)).png().toBuffer()
