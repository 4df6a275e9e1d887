import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { sendMagicLink } from '../../contract/auth.ts'
import type { House } from '../../tests/browser/house.ts'
import { makeMicrogenre } from '../../tests/factories.ts'
import { type Visitor, visitorAt } from '../../tests/harness/visitor.ts'
import type { CallKind, Latency, Order } from './caller.ts'

/* What other listeners wait while the server does something expensive. */

/** Calls of a calm phase; a busy one has as many as fit into the work. */
const CALM_CALLS = 200

/** Busy phases that are not counted: V8 compiles for two of them, at the cost of whoever is answered meanwhile. */
const WARM_UPS = 3

/** One listener may call 1,200 times a minute, so the calls come from several in turn. */
const LISTENERS = 6

export interface Round {
  calm: Latency
  busy: Latency
}

/** Calls alone, then calls during `work`, in turn, so that both meet the machine in the same mood. */
export async function* measureBesideWork(
  house: House,
  rounds: number,
  work: () => Promise<void>,
  kind: CallKind = 'rating',
): AsyncGenerator<Round> {
  const caller = await startCaller(house, kind)
  const busyPhase = async () => {
    const [busy] = await Promise.all([
      caller.make(Number.MAX_SAFE_INTEGER),
      work().finally(() => caller.stop()),
    ])
    return busy
  }
  try {
    await caller.make(CALM_CALLS)
    for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) await busyPhase()
    for (let round = 0; round < rounds; round++) {
      const calm = await caller.make(CALM_CALLS)
      yield { calm, busy: await busyPhase() }
    }
  } finally {
    caller.end()
  }
}

interface Caller {
  /** Calls so many times, or until it is stopped. */
  make(most: number): Promise<Latency>
  stop(): void
  end(): void
}

async function startCaller(house: House, kind: CallKind): Promise<Caller> {
  const listeners = await Promise.all(Array.from({ length: LISTENERS }, () => signIn(house)))
  const { id: microgenreId, songs } = await makeMicrogenre(house.db, 1000)
  const program = fork(path.join(import.meta.dirname, 'caller.ts'))
  program.on('exit', (code) => {
    if (code !== 0) program.emit('error', new Error(`The program that calls ended with ${code}.`))
  })
  const order = (what: Order) => void program.send(what)
  order({
    callers: { url: house.url, cookies: listeners.map(({ cookies }) => [...cookies]), microgenreId, songs },
  })
  return {
    async make(most) {
      order({ make: most, kind })
      const [latency] = await once(program, 'message')
      return latency as Latency
    },
    stop: () => order('enough'),
    end: () => void (program.connected && program.disconnect()),
  }
}

let people = 0

/** Someone new at the house. */
export async function signIn(house: House): Promise<Visitor> {
  const visitor = visitorAt(house.url)
  // All come from one address, which would soon have asked for enough links.
  await house.db`delete from rate_limits`
  const { body } = await visitor.call(sendMagicLink, { body: { email: `bench-${++people}@example.test` } })
  const link = new URL(body.magicLink ?? '')
  await visitor.raw(link.pathname + link.search)
  return visitor
}
