import { setTimeout as wait } from 'node:timers/promises'
import { createCollection, deleteCollection, shareCollection } from '../../contract/collections.ts'
import { getNextSong, rateAndAdvance } from '../../contract/discovery.ts'
import { follow, unfollow } from '../../contract/profiles.ts'
import type { Answer, Visitor } from './visitor.ts'

export interface MixedLoad {
  /** Resolves when each listener has received another response of each kind. */
  answered(): Promise<void>
  /** Stops when no call is in flight. */
  end(): Promise<void>
  /** The number of responses with Retry-After. */
  refused(): number
}

/**
 * Listeners who rate, follow one another, and create, share and delete collections: single statements and
 * transactions. Each sends the next call after a response, and retries when it has Retry-After.
 * @param unanswered whether calls may end without a response, as when the server process is killed.
 * `answered` and `end` throw on every response but success, 429, and 503 with Retry-After.
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
      // An earlier attempt without a response succeeded.
      if (answer?.status === 404 && refused > 0) return undefined
      if (answer?.status === 429) {
        await wait(CALL_PAUSE)
        return undefined
      }
      if (answer && !(answer.status === 503 && answer.headers['retry-after']))
        throw new Error(`A call was answered with ${answer.status}: ${JSON.stringify(answer.body)}`)
      refused++
      await wait(CALL_PAUSE)
    }
    return undefined
  }

  async function makeCalls(listener: Visitor, other: { id: string }): Promise<void> {
    const next = await ask(() => listener.call(getNextSong, { params: { id: microgenreId } }))
    if (next && 'id' in next) {
      const body = { microgenreId, songId: next.id, rating: 'banger' } as const
      await ask(() => listener.call(rateAndAdvance, { body }))
    }
    await ask(() => listener.call(follow, { params: { id: other.id } }))
    const collection = await ask(() =>
      listener.call(createCollection, { body: { name: 'Mine', isPublic: true } }),
    )
    if (collection) {
      await ask(() => listener.call(shareCollection, { params: { id: collection.id } }))
      await ask(() => listener.call(deleteCollection, { params: { id: collection.id } }))
    }
    await ask(() => listener.call(unfollow, { params: { id: other.id } }))
  }

  const lines = listeners.map(async (listener, line) => {
    const other = listeners[(line + 1) % listeners.length] ?? listener
    while (!isOver) {
      await makeCalls(listener, other)
      rounds[line] = (rounds[line] ?? 0) + 1
    }
  })
  const all = Promise.all(lines)
  // `answered` and `end` rethrow it; until then an unhandled rejection would end the process.
  all.catch(() => {})
  return {
    async answered() {
      const before = [...rounds]
      // Two rounds, because the current one began before this.
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

/** Milliseconds until a retry. */
const CALL_PAUSE = 50
