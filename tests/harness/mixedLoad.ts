import { setTimeout as wait } from 'node:timers/promises'
import { createCollection, deleteCollection, shareCollection } from '../../contract/collections.ts'
import { getNextSong, rateAndAdvance } from '../../contract/discovery.ts'
import { follow, unfollow } from '../../contract/profiles.ts'
import type { Answer, Visitor } from './visitor.ts'

export interface MixedLoad {
  /** Resolves when each listener has had another answer of each kind. */
  answered(): Promise<void>
  /** Ends it once nothing is under way. */
  end(): Promise<void>
  /** Calls that were told to come back. */
  refused(): number
}

/**
 * Listeners who rate, follow one another, and make, share and delete collections: single statements and transactions.
 * Each goes on as soon as it is answered, and a call that is told to come back is made again.
 * @param unanswered whether a call may also end without an answer, as when the server process is killed.
 * `answered` and `end` throw when a call is answered with anything but success, 429, or 503 with Retry-After.
 */
export function startMixedLoad(
  listeners: readonly (Visitor & { id: string })[],
  microgenreId: string,
  { unanswered = false } = {},
): MixedLoad {
  let isOver = false
  let refused = 0
  const rounds = listeners.map(() => 0)

  async function ask<T>(call: () => Promise<Answer<T>>): Promise<T | undefined> {
    while (!isOver) {
      const answer = await call().catch((error: unknown) => {
        if (unanswered) return null
        throw error
      })
      if (answer && answer.status < 300) return answer.body
      // What an earlier try did without an answer is done.
      if (answer?.status === 404 && refused > 0) return undefined
      if (answer?.status === 429) {
        await wait(PAUSE)
        return undefined
      }
      if (answer && !(answer.status === 503 && answer.headers['retry-after']))
        throw new Error(`A call was answered with ${answer.status}: ${JSON.stringify(answer.body)}`)
      refused++
      await wait(PAUSE)
    }
    return undefined
  }

  async function takeTurn(listener: Visitor, other: { id: string }): Promise<void> {
    const next = await ask(() => listener.call(getNextSong, { params: { id: microgenreId } }))
    if (next && 'id' in next) {
      const body = { microgenreId, songId: next.id, rating: 'banger' } as const
      await ask(() => listener.call(rateAndAdvance, { body }))
    }
    await ask(() => listener.call(follow, { params: { id: other.id } }))
    const made = await ask(() => listener.call(createCollection, { body: { name: 'Mine', isPublic: true } }))
    if (made) {
      await ask(() => listener.call(shareCollection, { params: { id: made.id } }))
      await ask(() => listener.call(deleteCollection, { params: { id: made.id } }))
    }
    await ask(() => listener.call(unfollow, { params: { id: other.id } }))
  }

  const lines = listeners.map(async (listener, line) => {
    const other = listeners[(line + 1) % listeners.length] ?? listener
    while (!isOver) {
      await takeTurn(listener, other)
      rounds[line] = (rounds[line] ?? 0) + 1
    }
  })
  const all = Promise.all(lines)
  // Told by `answered` or `end`; without a listener until then it would end the program.
  all.catch(() => {})
  return {
    async answered() {
      const before = [...rounds]
      // Two, for the one under way began before this.
      while (rounds.some((count, line) => count < (before[line] ?? 0) + 2))
        await Promise.race([all, wait(20)])
    },
    async end() {
      isOver = true
      await all
    },
    refused: () => refused,
  }
}

/** Milliseconds until a call that was told to come back is made again. */
const PAUSE = 50
