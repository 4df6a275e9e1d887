import type { Logger } from 'pino'
import { z } from 'zod'
import { Line } from '../../contract/texts.ts'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { MBID, userAgent } from './musicbrainz.ts'
import { throttleFor } from './rateLimiter.ts'
import { createService, ServiceFailure, type ServiceResponse } from './service.ts'

/** The recording that ListenBrainz matches to a song. */
export interface ListenbrainzMatch {
  recordingMbid: string
  artist: string
  title: string
}

/** One per song, in order; null for an unknown song. */
export type ListenbrainzAnswer = { matches: (ListenbrainzMatch | null)[] } | { error: string } | 'bad-token'

/** What has the tag: the recording itself, its release group or its artist. */
export type TaggedEntity = 'recording' | 'release-group' | 'artist'

/** A recording of the radio of a tag. */
export interface TaggedRecording {
  mbid: string
  tagged: TaggedEntity
}

export interface Listenbrainz {
  /** The recordings of at most MAX_LOOKUPS songs. */
  lookUp(songs: readonly { artist: string; title: string }[]): Promise<ListenbrainzAnswer>
  /** At most `count` random recordings with a tag. A recording may appear for several entities. */
  radio(
    tag: string,
    count: number,
  ): Promise<{ recordings: TaggedRecording[] } | { error: string } | 'bad-token'>
}

/** For an operator whose token is wrong. */
export const BAD_TOKEN =
  'ListenBrainz rejects LISTENBRAINZ_TOKEN: https://listenbrainz.org/settings shows it.'

/** Songs per call: https://listenbrainz.readthedocs.io/en/latest/users/api/metadata.html */
export const MAX_LOOKUPS = 50

/** Characters of artist and title together. A longer one fails the whole call. */
const MAX_SONG_CHARACTERS = 250

/** ListenBrainz allows 50 requests in 10 seconds per token. This leaves some for others with the same one. */
const THROTTLE = { limit: 40, interval: 10_000 }

/** Null without a token: ListenBrainz answers look-ups and radio only with one. */
export function createListenbrainz(env: Env, log: Logger, db: Queryable): Listenbrainz | null {
  const token = env.LISTENBRAINZ_TOKEN
  if (!token) return null
  const service = createService(log, db, {
    name: 'ListenBrainz',
    timeout: 20_000,
    totalTimeout: 60_000,
    throttle: throttleFor(env.LISTENBRAINZ_URL, 'api.listenbrainz.org', THROTTLE),
    isPatient: true,
  })
  const headers = { Authorization: `Token ${token}`, 'User-Agent': userAgent(env) }

  return {
    async lookUp(songs) {
      const queries = songs.flatMap(({ artist, title }, place) =>
        [...artist, ...title].length <= MAX_SONG_CHARACTERS
          ? [{ place, query: { artist_name: artist, recording_name: title } }]
          : [],
      )
      const matches = songs.map((): ListenbrainzMatch | null => null)
      if (queries.length === 0) return { matches }
      const url = new URL(`${env.LISTENBRAINZ_URL}/1/metadata/lookup/`)
      const body = JSON.stringify({ recordings: queries.map(({ query }) => query) })
      const reply = await service.ask(url, createReader(LookupBody), {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body,
      })
      if (!('value' in reply)) return { error: reply.failure }
      if (reply.value === 'bad-token') return 'bad-token'
      for (const { index, recording_mbid, artist_credit_name, recording_name } of reply.value) {
        const place = queries[index]?.place
        if (place === undefined || !recording_mbid || !artist_credit_name || !recording_name) continue
        matches[place] = {
          recordingMbid: recording_mbid,
          artist: artist_credit_name,
          title: recording_name,
        }
      }
      return { matches }
    },

    async radio(tag, count) {
      const url = new URL(`${env.LISTENBRAINZ_URL}/1/lb-radio/tags`)
      // Recordings of any popularity.
      url.search = new URLSearchParams({
        tag,
        count: String(count),
        pop_begin: '0',
        pop_end: '100',
      }).toString()
      const reply = await service.ask(url, createReader(RadioBody), { headers })
      if (!('value' in reply)) return { error: reply.failure }
      if (reply.value === 'bad-token') return 'bad-token'
      return {
        recordings: reply.value.flatMap(({ recording_mbid: mbid, source: tagged }) =>
          mbid && tagged ? { mbid, tagged } : [],
        ),
      }
    },
  }
}

const createReader =
  <T>(shape: z.ZodType<T>) =>
  ({ status, body }: ServiceResponse): T | 'bad-token' => {
    if (status === 401) return 'bad-token'
    if (status !== 200) throw new ServiceFailure(`status ${status}`)
    return shape.parse(body)
  }

/** An element without a recording is an unknown song. */
const LookupBody = z.array(
  z.object({
    index: z.number(),
    recording_mbid: z.string().regex(MBID).nullish().catch(null),
    artist_credit_name: z.nullish(Line),
    recording_name: z.nullish(Line),
  }),
)

/** https://listenbrainz.readthedocs.io/en/latest/users/api/core.html#get--1-lb-radio-tags */
const RadioBody = z.array(
  z.object({
    recording_mbid: z.string().regex(MBID).nullish().catch(null),
    source: z.enum(['recording', 'release-group', 'artist']).nullish().catch(null),
  }),
)
