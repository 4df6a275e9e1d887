import type { Logger } from 'pino'
import { z } from 'zod'
import { MAX_SONG_TEXT_LENGTH } from '../../contract/suggestions.ts'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { MBID, userAgent } from './musicbrainz.ts'
import { throttleFor } from './rateLimiter.ts'
import { createService, ServiceFailure, type ServiceResponse } from './service.ts'

/**
 * Why there is no answer: the service refuses the token; it has no such endpoint, as Koito and Maloja have no loves; it
 * rejects what was sent; or it does not answer now.
 */
export type Trouble = 'refused' | 'unsupported' | 'rejected' | 'silent'

export type AccountAnswer<T> = { value: T } | { trouble: Trouble }

/** 1: a love, -1: a hate, 0: none. */
export type Score = 1 | 0 | -1

/** https://listenbrainz.readthedocs.io/en/latest/users/api/playlist.html */
export const MAX_TRACKS_PER_ADD = 100

/** Per page of feedback: https://listenbrainz.readthedocs.io/en/latest/users/api/recordings.html */
const MAX_FEEDBACK = 1000
const MAX_PAGES = 100

/** ListenBrainz allows 50 requests in 10 seconds per token. All listeners together stay below it, without bursts. */
const THROTTLE = { limit: 4, interval: 1000 }

/** Acts for a listener at ListenBrainz, or at what stands in its place, with their token. */
export function createListenbrainzAccounts(env: Env, log: Logger, db: Queryable) {
  const base = env.LISTENBRAINZ_URL
  // No redirect is followed: it could lead a token to another host, or the server to a private address.
  const service = createService(log, db, {
    name: 'ListenBrainz accounts',
    timeout: 5000,
    totalTimeout: 8000,
    throttle: throttleFor(base, 'api.listenbrainz.org', THROTTLE),
    retries: false,
  })

  async function ask<T>(
    token: string,
    path: string,
    shape: z.ZodType<T>,
    body?: object,
  ): Promise<AccountAnswer<T>> {
    const headers = {
      Authorization: `Token ${token}`,
      'User-Agent': userAgent(env),
      ...(body && { 'Content-Type': 'application/json' }),
    }
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const reply = await service.ask(new URL(`${base}/1/${path}`), (response) => read(response, shape), init)
    return 'value' in reply ? reply.value : { trouble: 'silent' }
  }

  function askFeedback(token: string, userName: string, { count = 1, offset = 0, metadata = false }) {
    const path = `feedback/user/${encodeURIComponent(userName)}/get-feedback`
    return ask(token, `${path}?count=${count}&offset=${offset}&metadata=${metadata}`, FeedbackBody)
  }

  return {
    /** 'ListenBrainz', or the host of what stands in its place. */
    name: new URL(base).hostname === 'api.listenbrainz.org' ? 'ListenBrainz' : new URL(base).host,

    /** The user name of a valid token. */
    async validate(token: string): Promise<AccountAnswer<string>> {
      const answer = await ask(token, 'validate-token', TokenBody)
      if ('trouble' in answer) return answer
      return answer.value.valid ? { value: answer.value.user_name } : { trouble: 'refused' }
    },

    /** Whether it keeps loves and hates. */
    proveFeedback: (token: string, userName: string) => askFeedback(token, userName, {}),

    /** All loves and hates, newest first: what `toValue` makes of each page. A part of them is no answer. */
    async readFeedback<T>(
      token: string,
      userName: string,
      toValue: (page: Feedback[]) => T,
      { withNames = false, signal }: { withNames?: boolean; signal?: AbortSignal } = {},
    ): Promise<AccountAnswer<T[]>> {
      const pages: T[] = []
      let count = 0
      for (let page = 0; page < MAX_PAGES && !signal?.aborted; page++) {
        const range = { count: MAX_FEEDBACK, offset: count, metadata: withNames }
        const answer = await askFeedback(token, userName, range)
        if ('trouble' in answer) return answer
        pages.push(toValue(answer.value.feedback))
        count += answer.value.feedback.length
        if (count >= answer.value.total_count) return { value: pages }
        if (answer.value.feedback.length === 0) break
      }
      return { trouble: 'silent' }
    },

    sendFeedback: (token: string, recordingMbid: string, score: Score) =>
      ask(token, 'feedback/recording-feedback', Done, { recording_mbid: recordingMbid, score }),

    /** Creates a playlist without tracks and returns its id. */
    createPlaylist: (token: string, playlist: { title: string }) =>
      ask(token, 'playlist/create', Created, { playlist }),

    /** At most MAX_TRACKS_PER_ADD. */
    addTracks: (token: string, mbid: string, track: object[]) =>
      ask(token, `playlist/${mbid}/item/add`, Done, { playlist: { track } }),
  }
}

/** Maloja answers 200 where it has no endpoint, and others answer with a page. */
function read<T>({ status, body }: ServiceResponse, shape: z.ZodType<T>): AccountAnswer<T> {
  if (status === 401) return { trouble: 'refused' }
  if (status === 400) return { trouble: 'rejected' }
  if ([404, 405, 501].includes(status)) return { trouble: 'unsupported' }
  if (status !== 200) throw new ServiceFailure(`status ${status}`)
  const { data } = shape.safeParse(body)
  return data === undefined ? { trouble: 'unsupported' } : { value: data }
}

/** https://listenbrainz.readthedocs.io/en/latest/users/api/core.html#get--1-validate-token */
const TokenBody = z.discriminatedUnion('valid', [
  z.object({ valid: z.literal(true), user_name: z.string().regex(/^\P{Cc}{1,200}$/u) }),
  z.object({ valid: z.literal(false) }),
])

const Done = z.object({ status: z.literal('ok') })
const Created = Done.extend({ playlist_mbid: z.string().regex(MBID) }).transform((body) => body.playlist_mbid)

/** https://listenbrainz.readthedocs.io/en/latest/users/json.html#feedback-json-documentation */
const Name = z.string().max(MAX_SONG_TEXT_LENGTH).nullish().catch(null)
const Feedback = z.object({
  recording_mbid: z.string().regex(MBID).nullish().catch(null),
  score: z.union([z.literal(1), z.literal(-1)]),
  created: z.number().nullish().catch(null),
  track_metadata: z.object({ artist_name: Name, track_name: Name }).nullish().catch(null),
})
export type Feedback = z.infer<typeof Feedback>
const FeedbackBody = z.object({ feedback: z.array(Feedback).max(MAX_FEEDBACK), total_count: z.int() })
