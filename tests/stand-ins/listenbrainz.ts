import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Behaviour, listen, misbehave, sendJson } from './behaviour.ts'

export interface Listenbrainz {
  /** For LISTENBRAINZ_URL. */
  url: string
  /** The only accepted token. */
  token: string
  /** Maps a song to this recording. Like the real mapping, it may be wrong. */
  know(song: NamedSong, match: NamedSong & { mbid: string }): void
  /** Sets the radio of a tag. The real one mixes it. */
  tag(tag: string, recordings: TaggedRecording[]): void
  /** Sets the behaviour for that many calls, or for all from now on. */
  behave(behaviour: Behaviour, calls?: number): void
  /** The number of songs in each look-up. */
  requests: number[]
  /** The tags whose radio was requested. */
  radios: string[]
  reset(): void
  close(): Promise<void>
}

interface NamedSong {
  artist: string
  title: string
}

interface TaggedRecording {
  mbid: string
  /** The source of the tag: `recording`, `release-group` or `artist`. */
  source: string
  /** The number of people who set it. */
  count: number
}

const MAX_RESULTS = 50
const MAX_TEXT_LENGTH = 250

/**
 * A stand-in for ListenBrainz's look-up of recordings and its radio of tags:
 * https://listenbrainz.readthedocs.io/en/latest/users/api/metadata.html#post--1-metadata-lookup-
 * https://listenbrainz.readthedocs.io/en/latest/users/api/core.html#get--1-lb-radio-tags
 */
export async function startListenbrainz(): Promise<Listenbrainz> {
  const token = 'stand-in-listener-token'
  const matches = new Map<string, NamedSong & { mbid: string }>()
  const tags = new Map<string, TaggedRecording[]>()
  const requests: number[] = []
  const radios: string[] = []
  let behaviour: Behaviour = 'ok'
  let calls = Number.POSITIVE_INFINITY

  const { port, close } = await listen(async (request, response) => {
    const text = await readText(request)
    const url = new URL(request.url ?? '/', 'http://localhost')
    const isRadio = request.method === 'GET' && url.pathname === '/1/lb-radio/tags'
    if (!isRadio && (request.method !== 'POST' || request.url !== '/1/metadata/lookup/'))
      return fail(response, 404, 'The requested URL was not found on the server.')
    const { recordings } = isRadio
      ? { recordings: [] }
      : (JSON.parse(text) as { recordings: ReceivedRequest[] })
    if (isRadio) radios.push(url.searchParams.get('tag') ?? '')
    else requests.push(recordings.length)
    const now = calls-- > 0 ? behaviour : 'ok'
    if (now === 'limited') return limit(response)
    if (misbehave(now, response)) return
    if (!request.headers.authorization)
      return fail(response, 401, 'You need to provide an Authorization header.')
    if (request.headers.authorization !== `Token ${token}`)
      return fail(response, 401, 'Invalid authorization token.')
    if (isRadio) return play(response, url.searchParams)
    if (recordings.length > MAX_RESULTS)
      return fail(
        response,
        400,
        `Number of recordings in request body exceeds maximum permitted. (${MAX_RESULTS})`,
      )
    const tooLong = recordings.findIndex(
      (one) => [...one.artist_name, ...one.recording_name].length > MAX_TEXT_LENGTH,
    )
    if (tooLong >= 0)
      return fail(response, 400, `Recording ${tooLong} total number of characters is too high`)
    response.setHeader('X-RateLimit-Remaining', '49')
    response.setHeader('X-RateLimit-Reset-In', '10')
    sendJson(response, 200, recordings.map(resultOf))
  })

  function play(response: ServerResponse, query: URLSearchParams): void {
    const missing = ['pop_begin', 'pop_end', 'count'].find((name) => !query.get(name))
    if (missing) {
      fail(response, 400, `${missing} param is missing`)
      return
    }
    const taggedRecordings = (tags.get(query.get('tag') ?? '') ?? []).slice(0, Number(query.get('count')))
    const rows = taggedRecordings.map(({ mbid, source, count }, n) => ({
      recording_mbid: mbid,
      percent: 1 / (n + 1),
      source,
      tag_count: count,
    }))
    response.setHeader('X-RateLimit-Remaining', '49')
    sendJson(response, 200, rows)
  }

  function resultOf({ artist_name, recording_name }: ReceivedRequest, index: number) {
    const args = {
      artist_name_arg: artist_name,
      recording_name_arg: recording_name,
      release_name_arg: null,
      index,
    }
    const match = matches.get(foldOf({ artist: artist_name, title: recording_name }))
    if (!match) return args
    return {
      ...args,
      artist_credit_id: index + 1,
      artist_credit_name: match.artist,
      artist_mbids: [],
      recording_mbid: match.mbid,
      recording_name: match.title,
      release_mbid: null,
      release_name: match.title,
    }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    token,
    know: (song, match) => void matches.set(foldOf(song), match),
    tag: (name, recordings) => void tags.set(name, recordings),
    behave(next, times = Number.POSITIVE_INFINITY) {
      behaviour = next
      calls = times
    },
    requests,
    radios,
    reset() {
      matches.clear()
      tags.clear()
      requests.length = 0
      radios.length = 0
      behaviour = 'ok'
    },
    close,
  }
}

interface ReceivedRequest {
  artist_name: string
  recording_name: string
}

/** It compares artist and title without spaces, punctuation and accents. */
const foldOf = ({ artist, title }: NamedSong) =>
  `${artist}${title}`
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()

const fail = (response: ServerResponse, code: number, error: string) =>
  sendJson(response, code, { code, error })

/** Unlike most services it sends no Retry-After. */
function limit(response: ServerResponse): void {
  response.setHeader('X-RateLimit-Limit', '50')
  response.setHeader('X-RateLimit-Remaining', '0')
  response.setHeader('X-RateLimit-Reset-In', '1')
  fail(response, 429, 'You have exceeded your rate limit. See the X-RateLimit-* response headers.')
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
