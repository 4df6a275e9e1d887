import { setTimeout as wait } from 'node:timers/promises'
import { rateAndAdvance } from '../../contract/discovery.ts'
import type { Rating } from '../../contract/shapes.ts'
import type { TestServer } from '../../tests/browser/testServer.ts'
import { visitorAt } from '../../tests/harness/visitor.ts'
import { createListeners, type LoadListeners, type SongRange } from '../measure/listeners.ts'

export interface Load {
  /** Resolves when every listener has had a response to a rating sent after this call. */
  answered(): Promise<void>
  /** Stops once no call is in flight. Returns the acknowledged ratings of each listener, by song. */
  end(): Promise<Map<string, Rating>[]>
  /** The number of acknowledged ratings so far. */
  rated(): number
  /** The number of ratings so far without a response or with a Retry-After. */
  failed(): number
}

const HEARD_FIELDS = { seconds: 20, source: 'preview' } as const

/** Milliseconds until a retry, and until the load gives up. */
const RETRY_PAUSE = 100
const CALL_TIMEOUT = 90_000

/** Listeners of the mixed load, whose transactions must never get a wrong response either. */
const OTHER_LISTENERS = 4

export async function createMixedListeners({ db, url }: TestServer, songs: SongRange) {
  const { firstListener, sessions } = await createListeners(db, songs, OTHER_LISTENERS)
  await db`
    update users set is_public = true where id between ${firstListener} and ${firstListener + OTHER_LISTENERS - 1}`
  return sessions.map((session, n) => ({
    ...visitorAt(url, new Map([['session', session]])),
    id: String(firstListener + n),
  }))
}

/** Each listener rates song after song of the pass, and retries a rating until it is acknowledged. */
export function startLoad(url: string, listeners: LoadListeners): Load {
  let over = false
  let mark = 0
  let failureCount = 0
  let rated = 0
  const answeredAfter = listeners.sessions.map(() => -1)
  const acknowledged = listeners.sessions.map(() => new Map<string, Rating>())
  const lines = listeners.sessions.map(async (session, line) => {
    const listener = visitorAt(url, new Map([['session', session]]))
    let songId = String(listeners.firstSong)
    let next: string | undefined
    for (let turn = 0; !over; turn++) {
      // Every eighth call changes the previous rating, because replaced ratings must not count.
      if (turn % 8 !== 7) songId = next ?? songId
      const rating = turn % 3 === 0 ? 'bust' : 'banger'
      // Only ratings of heard songs change what is dealt.
      const heard = turn % 4 === 0 ? null : HEARD_FIELDS
      const body = { microgenreId: String(listeners.microgenreId), songId, rating, heard } as const
      const since = Date.now()
      for (;;) {
        const sentAfter = mark
        const answer = await listener.call(rateAndAdvance, { body }).catch(() => null)
        if (answer?.status === 200) {
          rated++
          answeredAfter[line] = sentAfter
          next = answer.body.nextSong?.id
          break
        }
        if (answer && answer.status !== 429 && answer.status < 500)
          throw new Error(`A rating responded ${answer.status}: ${JSON.stringify(answer.body)}`)
        failureCount++
        if (Date.now() - since > CALL_TIMEOUT) throw new Error('A listener got no response for too long.')
        await wait(RETRY_PAUSE)
      }
      acknowledged[line]?.set(songId, rating)
    }
  })
  const all = Promise.all(lines)
  // `answered` and `end` rethrow it; until then an unhandled rejection would end the process.
  all.catch(() => {})
  return {
    async answered() {
      mark++
      const now = mark
      while (answeredAfter.some((at) => at < now)) await Promise.race([all, wait(20)])
    },
    async end() {
      over = true
      await all
      return acknowledged
    },
    rated: () => rated,
    failed: () => failureCount,
  }
}
