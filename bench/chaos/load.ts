import { setTimeout as wait } from 'node:timers/promises'
import { rateAndAdvance } from '../../contract/discovery.ts'
import type { Rating } from '../../contract/shapes.ts'
import type { House } from '../../tests/browser/house.ts'
import { visitorAt } from '../../tests/harness/visitor.ts'
import { type Audience, inviteListeners, type Stage } from '../rate/audience.ts'

export interface Load {
  /** Resolves when every listener has had an answer to a rating that was sent after this was called. */
  answered(): Promise<void>
  /** Stops rating. Gives what was acknowledged to each listener, by song; nothing is under way any more then. */
  end(): Promise<Map<string, Rating>[]>
  /** How many ratings so far got no answer, or were told to come back. */
  failed(): number
}

/** Milliseconds until a listener who got no answer presses the key again, and after which all this is given up. */
const PAUSE = 100
const PATIENCE = 90_000

/** Listeners for the mixed load: it uses transactions, and its answers must never be wrong either. */
const OTHERS = 4

export async function inviteOthers({ db, url }: House, stage: Stage) {
  const { firstListener, sessions } = await inviteListeners(db, stage, OTHERS)
  await db`
    update users set is_public = true where id between ${firstListener} and ${firstListener + OTHERS - 1}`
  return sessions.map((session, n) => ({
    ...visitorAt(url, new Map([['session', session]])),
    id: String(firstListener + n),
  }))
}

/** Each listener rates song after song; a rating without an answer is sent again until it has one. */
export function startLoad(url: string, audience: Audience): Load {
  let over = false
  let mark = 0
  let failed = 0
  const heard = audience.sessions.map(() => -1)
  const acknowledged = audience.sessions.map(() => new Map<string, Rating>())
  const lines = audience.sessions.map(async (session, line) => {
    const listener = visitorAt(url, new Map([['session', session]]))
    for (let turn = 0; !over; turn++) {
      // Every eighth press changes the rating before: what is replaced must not count either.
      const again = turn % 8 === 7
      const songId = String(audience.firstSong + turn - (again ? 1 : 0))
      const rating = turn % 3 === 0 ? 'bust' : 'banger'
      const body = { microgenreId: String(audience.microgenreId), songId, rating } as const
      const since = Date.now()
      for (;;) {
        const sentAfter = mark
        const answer = await listener.call(rateAndAdvance, { body }).catch(() => null)
        if (answer?.status === 200) {
          heard[line] = sentAfter
          break
        }
        if (answer && answer.status !== 429 && answer.status < 500)
          throw new Error(`A rating was answered with ${answer.status}: ${JSON.stringify(answer.body)}`)
        failed++
        if (Date.now() - since > PATIENCE) throw new Error('A listener had no answer for too long.')
        await wait(PAUSE)
      }
      acknowledged[line]?.set(songId, rating)
    }
  })
  const all = Promise.all(lines)
  // Told by `answered` or `end`; without a listener until then it would end the program.
  all.catch(() => {})
  return {
    async answered() {
      mark++
      const now = mark
      while (heard.some((at) => at < now)) await Promise.race([all, wait(20)])
    },
    async end() {
      over = true
      await all
      return acknowledged
    },
    failed: () => failed,
  }
}
