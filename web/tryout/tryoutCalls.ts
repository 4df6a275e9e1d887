import type { OfferedSong } from '../../contract/discovery.ts'
import type { PastRating } from '../../contract/library.ts'
import { getTryout, type VisitorSong } from '../../contract/visitors.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import type { DiscoveryCalls } from '../discovery/engine/discoveryCalls.ts'
import type { LastVerdict } from '../discovery/engine/discoveryState.ts'
import { toSong } from '../visitors/VisitorPlayback.tsx'
import { changeStoredRatings, readStoredRatings } from './storedRatings.ts'

/** Instead of a microgenre's key: the server chooses one. */
export const ANY_MICROGENRE = '*'

/**
 * The calls of a discovery whose songs come at once, and whose ratings stay in the browser (visitors-21). All `given` songs
 * must be rated: one that is put off comes again.
 */
export function createTryoutCalls(given?: readonly VisitorSong[]) {
  let songs: readonly OfferedSong[] = []
  /** By the songs that were rated on this page: what was stored of them before. */
  const rated = new Map<string, PastRating | undefined>()
  const without = (songId: string) => songs.filter(({ id }) => id !== songId)
  const next = () => ({ completed: songs.length === 0, nextSong: songs[0] ?? null })

  const tryout = {
    /** The first number of songs, and the key of another microgenre. */
    size: 0,
    other: null as string | null,
    async fetchNextSong(microgenre, signal) {
      // Asked again for a song that was put off twice.
      if (given && tryout.size > 0) return songs[0] ?? null
      const query = microgenre === ANY_MICROGENRE ? {} : { microgenre }
      const answer = given
        ? { songs: given, other: null }
        : await call(getTryout, { query }, { signal }).catch((error: unknown) => {
            if (error instanceof ApiError && error.status === 404) return { songs: [], other: ANY_MICROGENRE }
            throw error
          })
      songs = answer.songs.map((song) => ({ ...toSong(song), putOff: false, reason: 'shuffle' }))
      Object.assign(tryout, { size: songs.length, other: answer.other })
      return songs[0] ?? null
    },
    prefetchSongs: async () => songs,
    async sendRating({ songId, rating }) {
      const ratedAt = new Date().toISOString()
      await changeStoredRatings((stored) => {
        rated.set(
          songId,
          stored.find((other) => other.songId === songId),
        )
        return [...stored.filter((other) => other.songId !== songId), { songId, rating, ratedAt }]
      })
      songs = without(songId)
      // What others said stays unknown.
      const unknown = { listeners: 0, room: null, today: null, totals: { totalBangers: 0, totalRatings: 0 } }
      return { ...next(), ...unknown, ratedAt, unlocked: false }
    },
    async deferSong({ songId, again }) {
      const song = songs.find(({ id }) => id === songId)
      songs = song && (given || !again) ? [...without(songId), { ...song, putOff: true }] : without(songId)
      return { ...next(), saidAt: new Date().toISOString() }
    },
    /** Restores what was stored before. 'Not now' stored nothing. */
    async undo({ song, rating }: LastVerdict) {
      const before = rated.get(song.id)
      if (rating) {
        rated.delete(song.id)
        await changeStoredRatings((stored) => [
          ...stored.filter(({ songId }) => songId !== song.id),
          ...(before ? [before] : []),
        ])
      }
      songs = [song, ...without(song.id)]
    },
    /** Whether the browser still has what was rated on this page. */
    isStored() {
      const stored = new Set(readStoredRatings().map(({ songId }) => songId))
      return [...rated.keys()].every((songId) => stored.has(songId))
    },
  } satisfies DiscoveryCalls & Record<string, unknown>
  return tryout
}
