import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { sendMagicLink } from '../../contract/auth.ts'
import type { TestServer } from '../../tests/browser/testServer.ts'
import { makeMicrogenre } from '../../tests/factories.ts'
import { type Visitor, visitorAt } from '../../tests/harness/visitor.ts'
import type { CallKind, Latency, Order } from './caller.ts'

/* The latency of calls while the server does expensive work. */

/** Calls of a calm phase; a busy phase has as many as fit into the work. */
const CALM_CALLS = 200

/** Busy phases that do not count: V8 compiles during two of them, which delays calls. */
const WARM_UPS = 3

/** A listener may make 1,200 calls a minute, so several listeners take turns. */
const LISTENERS = 6

export interface Round {
  calm: Latency
  busy: Latency
}

/** Alternates calls alone and calls during `work`, so that changes of the machine's load affect both. */
export async function* measureUnderLoad(
  app: TestServer,
  rounds: number,
  work: () => Promise<void>,
  kind: CallKind = 'rating',
): AsyncGenerator<Round> {
  const caller = await startCaller(app, kind)
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
  /** Makes that many calls, or until it is stopped. */
  make(most: number): Promise<Latency>
  stop(): void
  end(): void
}

async function startCaller(app: TestServer, kind: CallKind): Promise<Caller> {
  const listeners = await Promise.all(Array.from({ length: LISTENERS }, () => signIn(app)))
  const { id: microgenreId, songs } = await makeMicrogenre(app.db, 1000)
  const program = fork(path.join(import.meta.dirname, 'caller.ts'))
  program.on('exit', (code) => {
    if (code !== 0) program.emit('error', new Error(`The calling program exited with ${code}.`))
  })
  const order = (what: Order) => void program.send(what)
  order({
    callers: { url: app.url, cookies: listeners.map(({ cookies }) => [...cookies]), microgenreId, songs },
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

/** Signs in a new listener. */
export async function signIn(app: TestServer): Promise<Visitor> {
  const visitor = visitorAt(app.url)
  // All come from one address, which would exceed the limit of links.
  await app.db`delete from rate_limits`
  const { body } = await visitor.call(sendMagicLink, { body: { email: `bench-${++people}@example.test` } })
  const link = new URL(body.magicLink ?? '')
  await visitor.raw(link.pathname + link.search)
  return visitor
}
