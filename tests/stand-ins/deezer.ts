import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Behaviour, listen, misbehave, sendJson } from './behaviour.ts'
import { createWordIndex, wordsOf } from './wordIndex.ts'

/** How every call behaves from now on. `quota` is Deezer's own: status 200 with error code 4. */
export type DeezerMode = Behaviour | 'nothing' | 'quota'

/** A track as Deezer knows it. */
export interface KnownTrack {
  title: string
  artist: string
  /** 210 by default. */
  seconds?: number
  isrc?: string
}

export interface Deezer {
  /** For DEEZER_URL. */
  url: string
  /** For PREVIEW_HOSTS: the same server serves the previews. */
  previewHost: string
  answer(mode: DeezerMode): void
  /** Holds all answers back until the returned function is called. */
  hold(): () => void
  /** All preview addresses so far answer 403, like expired signed ones. */
  expirePreviews(): void
  /** Sets the seconds of previews; 30 by default. */
  shorten(seconds: number): void
  /** Adds tracks; from now on no others exist. Before, every search finds what it asks for. */
  know(...tracks: KnownTrack[]): void
  /** Hides tracks whose title or artist contains this text. */
  forget(text: string): void
  /** Decoded queries of /search and paths of other calls, in order. */
  requests: string[]
  reset(): void
  close(): Promise<void>
}

interface IndexedTrack {
  id: number
  words: Set<string>
  track: KnownTrack
}

/** A stand-in for Deezer's open API: https://developers.deezer.com/api */
export async function startDeezer(): Promise<Deezer> {
  const whole = toneAsWav(30)
  let tone = whole
  const requests: string[] = []
  const hiddenTexts: string[] = []
  const tracks = new Map<number, KnownTrack>()
  const trackIndex = createWordIndex<IndexedTrack>()
  let hasKnownTracks = false
  let mode: DeezerMode = 'ok'
  let hold: Promise<void> = Promise.resolve()
  let generation = 1
  let oldestValid = 1
  let origin = ''

  const { port, close } = await listen(async (request, response) => {
    const url = new URL(request.url ?? '/', origin)
    if (url.pathname.startsWith('/preview/')) return preview(url, request, response)
    requests.push(url.pathname === '/search' ? (url.searchParams.get('q') ?? '') : url.pathname)
    await hold
    if (mode !== 'nothing' && mode !== 'quota' && misbehave(mode, response)) return
    if (mode === 'quota') {
      return sendJson(response, 200, {
        error: { type: 'Exception', message: 'Quota limit exceeded', code: 4 },
      })
    }
    if (url.pathname === '/search') return sendJson(response, 200, search(url.searchParams.get('q') ?? ''))
    const isrc = /^\/track\/isrc:(.+)$/.exec(url.pathname)?.[1]
    const id = isrc ? trackIndex.having(isrc).at(0)?.id : Number(/^\/track\/(\d+)$/.exec(url.pathname)?.[1])
    const track = tracks.get(id ?? 0)
    sendJson(response, 200, track && mode === 'ok' ? trackOf(id ?? 0, track) : noData)
  })
  origin = `http://127.0.0.1:${port}`

  function search(query: string) {
    const searched = { title: field(query, 'track') ?? query, artist: field(query, 'artist') ?? query }
    const isForgotten = hiddenTexts.some((text) =>
      `${searched.artist} ${searched.title}`.toLowerCase().includes(text),
    )
    if (mode === 'nothing' || isForgotten || !query.trim()) return { data: [], total: 0 }
    if (hasKnownTracks) {
      const data = resembling(searched).map(({ id, track }) => trackOf(id, track))
      return { data, total: data.length }
    }
    const id = numberOf(`${searched.artist}\n${searched.title}`)
    tracks.set(id, searched)
    return { data: [trackOf(id, searched)], total: 1 }
  }

  /** Like Deezer's advanced search, which also finds partial matches. */
  function resembling({ artist, title }: { artist: string; title: string }) {
    const searchWords = wordsOf(`${artist} ${title}`)
    return [...trackIndex.find(searchWords)]
      .map((one) => ({ ...one, shared: searchWords.filter((word) => one.words.has(word)).length }))
      .filter(({ shared }) => shared >= searchWords.length - 1)
      .sort((a, b) => b.shared - a.shared)
      .slice(0, 10)
  }

  function trackOf(id: number, { title, artist, seconds = 210, isrc }: KnownTrack) {
    return {
      id,
      readable: true,
      title,
      title_short: title,
      isrc,
      duration: seconds,
      rank: 500_000,
      preview: `${origin}/preview/${id}.mp3?hdnea=${generation}`,
      artist: { id: numberOf(artist), name: artist, type: 'artist' },
      album: { id: numberOf(title), title, cover_big: null, cover_xl: null, type: 'album' },
      type: 'track',
    }
  }

  function preview(url: URL, request: IncomingMessage, response: ServerResponse) {
    if (Number(url.searchParams.get('hdnea')) < oldestValid) {
      response.writeHead(403, { 'Content-Type': 'text/plain' }).end('expired')
      return
    }
    serveRange(tone, request, response)
  }

  return {
    url: origin,
    previewHost: origin,
    answer(next) {
      mode = next
    },
    hold() {
      let release = () => {}
      hold = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    expirePreviews() {
      generation += 1
      oldestValid = generation
    },
    shorten(seconds) {
      tone = toneAsWav(seconds)
    },
    know(...given) {
      for (const track of given) {
        const id = numberOf(`${track.artist}\n${track.title}\n${track.isrc}`)
        tracks.set(id, track)
        const words = new Set(wordsOf(`${track.artist} ${track.title}`))
        trackIndex.add(track.isrc ? [...words, track.isrc] : words, { id, track, words })
        hasKnownTracks = true
      }
    },
    forget: (text) => void hiddenTexts.push(text.toLowerCase()),
    requests,
    reset() {
      mode = 'ok'
      hold = Promise.resolve()
      tone = whole
      oldestValid = 1
      hiddenTexts.length = 0
      trackIndex.clear()
      hasKnownTracks = false
      requests.length = 0
    },
    close,
  }
}

const noData = { error: { type: 'DataException', message: 'no data', code: 800 } }

/** `artist:"…" track:"…"` as in advanced search. */
function field(query: string, name: string): string | undefined {
  return new RegExp(`${name}:"([^"]*)"`).exec(query)?.[1]
}

function numberOf(text: string): number {
  let hash = 2166136261
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0
  return (hash % 900_000_000) + 1
}

function serveRange(file: Buffer, request: IncomingMessage, response: ServerResponse) {
  const headers = {
    'Content-Type': 'audio/wav',
    'Accept-Ranges': 'bytes',
    'Access-Control-Allow-Origin': '*',
  }
  const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '')
  if (!range) {
    response.writeHead(200, { ...headers, 'Content-Length': file.length }).end(file)
    return
  }
  const [, first, last] = range
  const start = first ? Number(first) : Math.max(0, file.length - Number(last))
  const end = first && last ? Math.min(Number(last), file.length - 1) : file.length - 1
  if (start > end) {
    response.writeHead(416, { 'Content-Range': `bytes */${file.length}` }).end()
    return
  }
  response
    .writeHead(206, {
      ...headers,
      'Content-Range': `bytes ${start}-${end}/${file.length}`,
      'Content-Length': end - start + 1,
    })
    .end(file.subarray(start, end + 1))
}

const SAMPLE_RATE = 8000

/** A quiet A of that many seconds: mono, 8 bit, WAV. */
export function toneAsWav(seconds: number): Buffer {
  const samples = Buffer.alloc(SAMPLE_RATE * seconds)
  for (let n = 0; n < samples.length; n++)
    samples[n] = 128 + Math.round(12 * Math.sin((2 * Math.PI * 440 * n) / SAMPLE_RATE))
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20) // PCM
  header.writeUInt16LE(1, 22) // mono
  header.writeUInt32LE(SAMPLE_RATE, 24)
  header.writeUInt32LE(SAMPLE_RATE, 28) // bytes a second
  header.writeUInt16LE(1, 32) // bytes a sample
  header.writeUInt16LE(8, 34) // bits a sample
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}
