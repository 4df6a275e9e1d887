import {
  getNextSong,
  type OfferedSong,
  type Prefetch,
  rateAndAdvance,
  sayNotNow,
} from '../../contract/discovery.ts'
import type { Body, Response } from '../../contract/endpoint.ts'
import { ApiError } from '../api/ApiError.ts'
import { fillPath } from '../api/address.ts'
import { call } from '../api/call.ts'
import { findEmbedded } from '../api/embeddedResponse.ts'
import { forgetRemoval } from '../library/removals.ts'

/** The requests of discovery. */
export interface DiscoveryCalls {
  /** The next song that is still to come, or null when there is none. */
  next(microgenreId: string, signal: AbortSignal): Promise<OfferedSong | null>
  /** The next songs, the current one included. */
  ahead(microgenreId: string): Promise<readonly OfferedSong[]>
  rate(body: Body<typeof rateAndAdvance>): Promise<Response<typeof rateAndAdvance>>
  notNow(body: Body<typeof sayNotNow>): Promise<Response<typeof sayNotNow>>
}

/** The songs that the HTML brought, until the page asks for those ahead. */
let brought: Promise<readonly OfferedSong[]> | null = null

export const discoveryCalls: DiscoveryCalls = {
  async next(id, signal) {
    brought = isBrought(id) ? songsAhead(id) : null
    if (brought) return (await brought)[0] ?? null
    try {
      const query = { _t: String(Date.now()) }
      const answer = await call(getNextSong, { params: { id }, query }, { signal })
      return 'prefetch' in answer ? (answer.songs[0] ?? null) : answer
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  },
  ahead(id) {
    const songs = brought ?? songsAhead(id)
    brought = null
    return songs
  },
  rate(body) {
    forgetRemoval(body.songId)
    return call(rateAndAdvance, { body })
  },
  notNow: (body) => call(sayNotNow, { body }),
}

const AHEAD = '?prefetch=true'

/** Whether the HTML has the songs of this microgenre. */
export const isBrought = (id: string) => findEmbedded(fillPath(getNextSong, { id }) + AHEAD) !== undefined

/** Whether the HTML has a first song that will play as a video. */
export function bringsVideo(): boolean {
  const text = findEmbedded({ endsWith: AHEAD })?.textContent
  const [song] = text ? (JSON.parse(text) as Prefetch).songs : []
  return song !== undefined && song.youtubeId !== null && !song.youtubeBlocked
}

async function songsAhead(id: string): Promise<readonly OfferedSong[]> {
  const answer = await call(getNextSong, { params: { id }, query: { prefetch: 'true' } })
  return 'prefetch' in answer ? answer.songs : [answer]
}
