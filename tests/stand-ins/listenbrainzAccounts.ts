import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Jspf, refusePlaylist } from '../harness/listenBrainzPlaylist.ts'
import { sendJson, startStandIn } from './behaviour.ts'

/** A recording that it does not take. */
export const REJECTED = 'ffffffff-ffff-4fff-8fff-ffffffffffff'

type Program = 'ListenBrainz' | 'Koito' | 'Maloja' | 'a web site' | 'a redirect'

const PLAYLIST_PATH = /^POST \/1\/playlist\/([0-9a-f-]{36})\/item\/add$/
const FEEDBACK_PATH = /^GET \/1\/feedback\/user\/([^/]+)\/get-feedback$/

/**
 * A stand-in for the accounts of ListenBrainz, with the answers of listenbrainz/webserver/views (api.py, feedback_api.py,
 * playlist_api.py), and for Koito and Maloja, which only validate tokens and take listens.
 */
export async function startListenbrainzAccounts() {
  const tokens = new Map<string, string>()
  const feedback = new Map<string, Map<string, number>>()
  let program: Program = 'ListenBrainz'

  const standIn = await startStandIn({
    describe: ({ pathname }, { method }) => `${method} ${pathname}`,
    async answer(url, request, response) {
      const call = `${request.method} ${url.pathname}`
      const [, token = ''] = /^Token (.+)$/.exec(request.headers.authorization ?? '') ?? []
      const userName = tokens.get(token)
      const body = (request.method === 'POST' ? JSON.parse(await text(request)) : {}) as object
      response.setHeader('X-RateLimit-Remaining', '49')
      response.setHeader('X-RateLimit-Reset-In', '10')

      if (program === 'a redirect') {
        const elsewhere = request.headers.host?.replace('127.0.0.1', 'localhost')
        response.writeHead(302, { Location: `http://${elsewhere}/stolen` }).end()
      } else if (program === 'a web site') {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Home</title>')
      } else if (call === 'GET /1/validate-token') validate(response, userName)
      else if (program === 'Koito') fail(response, 404, 'not found')
      else if (program === 'Maloja') sendJson(response, 200, { code: 200, error: 'Invalid Method' })
      else if (FEEDBACK_PATH.test(call)) listFeedback(response, url)
      else if (!userName) fail(response, 401, 'Invalid authorization token.')
      else if (call === 'POST /1/feedback/recording-feedback') takeFeedback(response, userName, body)
      else if (call === 'POST /1/playlist/create') createPlaylist(response, userName, body)
      else addTracks(response, PLAYLIST_PATH.exec(call)?.[1] ?? '', body)
    },
    fail(behaviour, response) {
      if (behaviour !== 'limited') return false
      // It sends no Retry-After.
      response.setHeader('X-RateLimit-Remaining', '0')
      response.setHeader('X-RateLimit-Reset-In', '1')
      fail(response, 429, 'You have exceeded your rate limit. See the X-RateLimit-* response headers.')
      return true
    },
    forget() {
      program = 'ListenBrainz'
      accounts.feedbackPages = ALL_PAGES
      accounts.playlists.clear()
      accounts.onChange = () => {}
    },
  })

  /** What an account has: the score of each recording, the newest last. */
  function feedbackOf(userName: string): Map<string, number> {
    const scores = feedback.get(userName) ?? new Map<string, number>()
    feedback.set(userName, scores)
    return scores
  }

  function validate(response: ServerResponse, userName: string | undefined) {
    if (userName)
      sendJson(response, 200, { code: 200, message: 'Token valid.', valid: true, user_name: userName })
    else if (program === 'ListenBrainz')
      sendJson(response, 200, { code: 200, message: 'Token invalid.', valid: false })
    else fail(response, 401, 'Incorrect Authorization')
  }

  function takeFeedback(response: ServerResponse, userName: string, body: object) {
    const { recording_mbid: recording, score, ...others } = body as Record<string, unknown>
    const isValid =
      typeof recording === 'string' && recording !== REJECTED && [1, 0, -1].includes(score as number)
    if (!isValid || Object.keys(others).length > 0)
      return fail(response, 400, 'Invalid JSON document submitted')
    const scores = feedbackOf(userName)
    scores.delete(recording)
    if (score !== 0) scores.set(recording, score as number)
    accounts.onChange(recording)
    sendJson(response, 200, { status: 'ok' })
  }

  function listFeedback(response: ServerResponse, { pathname, searchParams }: URL) {
    const userName = decodeURIComponent(FEEDBACK_PATH.exec(`GET ${pathname}`)?.[1] ?? '')
    if (!feedback.has(userName)) return fail(response, 404, `Cannot find user: ${userName}`)
    const offset = Number(searchParams.get('offset') ?? 0)
    const all = [...feedbackOf(userName)].reverse()
    const { size, end } = accounts.feedbackPages
    const count = Math.min(Number(searchParams.get('count') ?? 25), size)
    const page = all.slice(0, end).slice(offset, offset + count)
    sendJson(response, 200, {
      count: page.length,
      feedback: page.map(([recording_mbid, score], n) => ({
        created: 1_700_000_000 - offset - n,
        recording_mbid,
        recording_msid: null,
        score,
        track_metadata:
          searchParams.get('metadata') === 'true'
            ? { artist_name: 'Artist', track_name: `Track ${recording_mbid}`, release_name: '' }
            : null,
        user_id: userName,
      })),
      offset,
      total_count: all.length,
    })
  }

  function createPlaylist(response: ServerResponse, userName: string, { playlist }: Jspf) {
    const refusal = refusePlaylist({ playlist })
    if (refusal) return fail(response, 400, refusal)
    const id = randomUUID()
    accounts.playlists.set(id, { userName, title: String(playlist?.title), recordings: [] })
    sendJson(response, 200, { status: 'ok', playlist_mbid: id })
  }

  function addTracks(response: ServerResponse, id: string, { playlist }: Jspf) {
    const known = accounts.playlists.get(id)
    if (!known) return fail(response, 404, `Cannot find playlist: ${id}`)
    const tracks = playlist?.track ?? []
    if (tracks.length > 100) return fail(response, 400, 'You may only add max 100 recordings per call.')
    // Only tracks are required here.
    const refusal = refusePlaylist({ playlist: { ...playlist, ...TITLED } })
    if (refusal) return fail(response, 400, refusal)
    known.recordings.push(...tracks.map(({ identifier }) => String(identifier).split('/').at(-1) ?? ''))
    accounts.onChange(id)
    sendJson(response, 200, { status: 'ok' })
  }

  const accounts = {
    ...standIn,
    /** Makes an account; returns its token. */
    join(userName: string): string {
      const token = randomUUID()
      tokens.set(token, userName)
      feedbackOf(userName)
      return token
    },
    /** The token of an account is accepted no more. */
    revoke: (token: string) => void tokens.delete(token),
    feedbackOf,
    /** Items of a page of feedback at most, and after how many its pages are empty. */
    feedbackPages: ALL_PAGES,
    playlists: new Map<string, { userName: string; title: string; recordings: string[] }>(),
    /** Called before the answer with what arrived: a recording, or the id of a playlist. */
    onChange(_changed: string): void {},
    /** Answers as this program does. */
    pretend(next: Program): void {
      program = next
    },
  }
  return accounts
}

const ALL_PAGES = { size: 1000, end: Number.POSITIVE_INFINITY }

const TITLED = { title: 'x', extension: { 'https://musicbrainz.org/doc/jspf#playlist': { public: false } } }

const fail = (response: ServerResponse, code: number, error: string) =>
  sendJson(response, code, { code, error })
