import { deferSong, getNextSong, type OfferedSong, rateAndAdvance } from '../../../contract/discovery.ts'
import type { BodyOf, ResponseOf } from '../../../contract/endpoint.ts'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { readCurrentUser } from '../../auth/currentUser.ts'
import { cancelRemoval } from '../../library/ratingsQuery.ts'
import { coverSong } from '../../playback/coverSong.ts'

export interface DiscoveryCalls {
  /** Null when no song is left. */
  fetchNextSong(microgenreId: string, signal: AbortSignal): Promise<OfferedSong | null>
  /** The next songs, including the current one. */
  prefetchSongs(microgenreId: string): Promise<readonly OfferedSong[]>
  sendRating(body: BodyOf<typeof rateAndAdvance>): Promise<ResponseOf<typeof rateAndAdvance>>
  deferSong(body: BodyOf<typeof deferSong>): Promise<ResponseOf<typeof deferSong>>
}

/** Milliseconds for each of two attempts; the server responds within five seconds. */
const RATING_TIMEOUT = 6000

/** Every song to rate passes here. */
const toShow = (song: OfferedSong) => (readCurrentUser()?.earFirst ? coverSong(song) : song)

const withNextSong = <A extends { nextSong: OfferedSong | null }>(answer: A): A => ({
  ...answer,
  nextSong: answer.nextSong && toShow(answer.nextSong),
})

export const discoveryCalls: DiscoveryCalls = {
  async fetchNextSong(id, signal) {
    try {
      const query = { _t: String(Date.now()) }
      const answer = await call(getNextSong, { params: { id }, query }, { signal })
      const song = 'prefetch' in answer ? answer.songs[0] : answer
      return song ? toShow(song) : null
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  },
  async prefetchSongs(id) {
    const answer = await call(getNextSong, { params: { id }, query: { prefetch: 'true' } })
    return ('prefetch' in answer ? answer.songs : [answer]).map(toShow)
  },
  async sendRating(body) {
    cancelRemoval(body.songId)
    const send = () => call(rateAndAdvance, { body }, { timeout: RATING_TIMEOUT })
    try {
      return withNextSong(await send())
    } catch (error) {
      if (error instanceof ApiError) throw error
      // There was no response. If the rating is stored, a repeat changes nothing (discover-14).
      return withNextSong(await send())
    }
  },
  deferSong: async (body) => withNextSong(await call(deferSong, { body })),
}
