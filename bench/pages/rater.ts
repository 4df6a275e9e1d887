import { setTimeout as wait } from 'node:timers/promises'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { visitorAt } from '../../tests/harness/visitor.ts'
import { quantile } from '../measure/spread.ts'

/* The program that rates. It has nothing else to do, so what it measures is never its own wait. */

/** Whom it rates for, and what. */
export interface Raters {
  url: string
  /** The cookies of each listener. */
  cookies: [name: string, value: string][][]
  microgenreId: string
  songs: string[]
}

/** Milliseconds, of how many ratings, and how many the server turned away. */
export interface Latency {
  p50: number
  p95: number
  ratings: number
  refused: number
}

/** Who rates comes first; each phase begins with how many ratings it has and is answered by its latency. */
export type Order = { raters: Raters } | { rate: number } | 'enough'

/** Ratings go out at this distance, whether earlier ones have been answered or not. Milliseconds. */
const EVERY = 20

let rateOne: (() => Promise<{ status: number; ms: number }>) | undefined
let isOver = false

process.on('message', async (order: Order) => {
  if (order === 'enough') isOver = true
  else if ('raters' in order) rateOne = makeRater(order.raters)
  else process.send?.(await ratePhase(order.rate))
})
process.on('disconnect', () => process.exit())

function makeRater({ url, cookies, microgenreId, songs }: Raters) {
  const listeners = cookies.map((each) => visitorAt(url, new Map(each)))
  let turn = 0
  return async () => {
    const listener = listeners[turn % listeners.length]
    const songId = songs[Math.floor(turn++ / listeners.length) % songs.length] ?? ''
    const started = performance.now()
    const answer = await listener?.call(rateAndAdvance, {
      body: { microgenreId, songId, rating: turn % 3 ? 'banger' : 'bust' },
    })
    return { status: answer?.status ?? 0, ms: performance.now() - started }
  }
}

async function ratePhase(most: number): Promise<Latency> {
  if (!rateOne) throw new Error('Nobody is there to rate.')
  isOver = false
  const pending: ReturnType<typeof rateOne>[] = []
  const started = performance.now()
  while (!isOver && pending.length < most) {
    pending.push(rateOne())
    await wait(Math.max(0, started + pending.length * EVERY - performance.now()))
  }
  const answers = await Promise.all(pending)
  const times = answers.flatMap(({ status, ms }) => (status === 200 ? [ms] : []))
  return {
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    ratings: times.length,
    refused: answers.length - times.length,
  }
}
