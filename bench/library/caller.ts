import { setTimeout as wait } from 'node:timers/promises'
import { getNextSong, rateAndAdvance } from '../../contract/discovery.ts'
import { visitorAt } from '../../tests/harness/visitor.ts'
import { quantile } from '../measure/report.ts'

/* Makes calls in a separate process, so that it never measures its own load. */

/** The callers and their songs. */
interface Callers {
  url: string
  sessions: string[]
  microgenreId: string
  songs: string[]
}

export type CallKind = 'rating' | 'next song'

/** Latencies in milliseconds, the number of calls, and the number of rejected ones. */
export interface Latency {
  p95: number
  calls: number
  refused: number
}

/** The first message names the callers; each later one starts a phase, which ends with a message of its latency. */
export type Order = Callers | { make: number; kind: CallKind } | 'enough'

/** Interval of calls in milliseconds, whether earlier ones have a response or not. */
const CALL_INTERVAL = 20

let callOnce: ((kind: CallKind) => Promise<{ status: number; ms: number }>) | undefined
let isOver = false

process.on('message', async (order: Order) => {
  if (order === 'enough') isOver = true
  else if ('url' in order) callOnce = makeCaller(order)
  else process.send?.(await callPhase(order.make, order.kind))
})
process.on('disconnect', () => process.exit())

function makeCaller({ url, sessions, microgenreId, songs }: Callers) {
  const listeners = sessions.map((session) => visitorAt(url, new Map([['session', session]])))
  let turn = 0
  return async (kind: CallKind) => {
    const listener = listeners[turn % listeners.length]
    const songId = songs[Math.floor(turn++ / listeners.length) % songs.length] ?? ''
    const started = performance.now()
    const rating = turn % 3 ? 'banger' : 'bust'
    const pendingAnswer =
      kind === 'rating'
        ? listener?.call(rateAndAdvance, { body: { microgenreId, songId, rating } })
        : listener?.call(getNextSong, { params: { id: microgenreId }, query: { prefetch: 'true' } })
    // A refused or closed connection counts as a rejected call.
    const answer = await pendingAnswer?.catch(() => null)
    return { status: answer?.status ?? 0, ms: performance.now() - started }
  }
}

async function callPhase(most: number, kind: CallKind): Promise<Latency> {
  if (!callOnce) throw new Error('The callers must be sent first.')
  isOver = false
  const pending: ReturnType<typeof callOnce>[] = []
  const started = performance.now()
  while (!isOver && pending.length < most) {
    pending.push(callOnce(kind))
    await wait(Math.max(0, started + pending.length * CALL_INTERVAL - performance.now()))
  }
  const answers = await Promise.all(pending)
  const times = answers.flatMap(({ status, ms }) => (status === 200 ? [ms] : []))
  return {
    p95: quantile(times, 0.95),
    calls: times.length,
    refused: answers.length - times.length,
  }
}
