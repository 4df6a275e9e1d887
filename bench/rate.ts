import { setTimeout as wait } from 'node:timers/promises'
import { startTestServer, type TestServer } from '../tests/browser/testServer.ts'
import { createEverywhere, databaseAt, dropEverywhere } from '../tests/harness/testCluster.ts'
import {
  createListeners,
  createSongs,
  type LoadListeners,
  type SongRange,
  waitForRollUp,
} from './measure/listeners.ts'
import {
  cpuSecondsOfTree,
  IN_PRODUCTION,
  isInstalled,
  readPostmaster,
  residentMiB,
} from './measure/processes.ts'
import {
  type AddCleanUp,
  beginPart,
  finish,
  type Goal,
  judge,
  judgeCount,
  setting,
  skip,
  sumOf,
  wantedParts,
  withCleanUp,
} from './measure/report.ts'
import {
  type Load,
  loadByHttp,
  peerAt,
  perSecond,
  productAt,
  startEcho,
  type Target,
} from './rate/callers.ts'
import { listenForMinute } from './rate/minute.ts'

/* rate-and-advance over HTTP beside a bare echo server, and a whole minute of listening. See README.md. */

const LISTENERS = 64
const ROUNDS = setting('BENCH_ROUNDS', 3, 1)
/** Seconds of one phase: the limit of 1,200 calls a minute for each listener stays on. */
const SECONDS = setting('BENCH_SECONDS', 8, 3)
/** Server processes at one address. The memory of one is measured when there is one. */
const PROCESSES = setting('BENCH_PROCESSES', 1)
/** Listeners of the minute, and the seconds that it takes. */
const MINUTE_LISTENERS = setting('BENCH_LISTENERS', 1000, 100)
const MINUTE = setting('BENCH_MINUTE', 60, 12)
/** Ratings before the server's memory is measured. */
const RATINGS = setting('BENCH_RATINGS', 100_000, 5000)
/** Enough listeners taking turns that none exceeds the limit. */
const MEMORY_LISTENERS = 1024
/** More than any listener rates here. */
const SONGS = 50_000
/** The load with pauses as a share of the machine's maximum, and the approximate milliseconds of a call under it. */
const USUAL_LOAD = 0.7
const USUAL_LATENCY = 5

/** Ratings by the echo's calls, p99 in ms at the usual load, and MiB of the server process. */
const GOALS = { ofEcho: 0.16, p99: 50, memory: 200 }

const { BENCH_DATABASE_URL, PEER_URL } = process.env

const chosenParts = wantedParts(['load', 'memory', 'minute'])
if (!isInstalled('wrk')) skip('rate', 'wrk is not installed')
else await withCleanUp(measure)
finish()

interface Bench {
  app: TestServer
  songs: SongRange
  echo: { url: string; pid: number }
  /** Null on another machine. */
  postmaster: number | null
}

async function measure(later: AddCleanUp): Promise<void> {
  const app = await startTestServer({
    PROCESSES: String(PROCESSES),
    ...IN_PRODUCTION,
    ...(BENCH_DATABASE_URL && { DATABASE_URL: await createDatabase(BENCH_DATABASE_URL, later) }),
  })
  later(() => app.close())
  const songs = await createSongs(app.db, SONGS)
  const bench = { app, songs, echo: await startEcho(later), postmaster: await readPostmaster(app.db) }
  for (const part of chosenParts) {
    beginPart(BENCH_DATABASE_URL ? `${part}, BENCH_DATABASE_URL` : part)
    console.log()
    if (part === 'load') await measureLoad(bench)
    else if (part === 'minute') await measureMinute(bench)
    else if (PROCESSES === 1) await measureMemory(app, await createListeners(app.db, songs, MEMORY_LISTENERS))
  }
}

/** A database of this run's own. */
async function createDatabase(address: string, later: AddCleanUp): Promise<string> {
  const name = `bob_bench_${process.pid}`
  await createEverywhere([address], name)
  later(() => dropEverywhere([address], name))
  return databaseAt(address, name) as string
}

/** CPU seconds. */
type Cpu = Record<'echo' | 'server' | 'postgres', number>

/** Returns what the work returns, with the CPU time of all programs meanwhile. */
async function withCpu<T extends object>(
  { app, echo, postmaster }: Bench,
  work: () => Promise<T>,
): Promise<T & { cpu: Cpu }> {
  const read = (): Cpu => ({
    echo: cpuSecondsOfTree(echo.pid),
    server: cpuSecondsOfTree(app.supervisor()),
    postgres: postmaster === null ? Number.NaN : cpuSecondsOfTree(postmaster),
  })
  const before = read()
  const result = await work()
  const after = read()
  const cpu = {
    echo: after.echo - before.echo,
    server: after.server - before.server,
    postgres: after.postgres - before.postgres,
  }
  return { ...result, cpu }
}

type MeasuredLoad = Load & { cpu: Cpu }

/** Of new listeners, each with one call at a time. */
async function measureCalls(bench: Bench, target: Target): Promise<MeasuredLoad> {
  const { db } = bench.app
  const [first, second] = [
    await createListeners(db, bench.songs, LISTENERS),
    await createListeners(db, bench.songs, LISTENERS),
  ]
  const load = ({ sessions }: LoadListeners, seconds: number) =>
    loadByHttp(target, sessions, { seconds, connections: LISTENERS })
  // Not counted: code is compiled, and after an idle time the first calls wait for memory that the system reclaimed.
  await load(first, 2)
  await waitForRollUp(db)
  return withCpu(bench, () => load(second, SECONDS))
}

/** The same calls, whose bodies the echo answers. */
function measureEcho(bench: Bench): Promise<MeasuredLoad> {
  return measureCalls(bench, productAt(bench.echo.url, bench.songs))
}

interface Round {
  echo: MeasuredLoad
  product: MeasuredLoad
  peer: MeasuredLoad | null
  alone: Load
  withPauses: Load
}

async function measureLoad(bench: Bench): Promise<void> {
  const { app, songs } = bench
  const call = async (connections: number, pause?: number) => {
    const { sessions } = await createListeners(app.db, songs, LISTENERS)
    await waitForRollUp(app.db)
    return loadByHttp(productAt(app.url, songs), sessions, { seconds: SECONDS, connections, pause })
  }
  console.log(`${LISTENERS} listeners, one call each at a time; ${ROUNDS} rounds of ${SECONDS} s`)
  if (!PEER_URL) skip('peer', 'PEER_URL is not set')
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // Alternates, so that neither is always second.
    const first = round % 2 === 0 ? await measureEcho(bench) : null
    const product = await measureCalls(bench, productAt(app.url, songs))
    const peer = PEER_URL ? await measureCalls(bench, peerAt(PEER_URL)) : null
    const echo = first ?? (await measureEcho(bench))
    const alone = await call(1)
    const pause = (1000 * LISTENERS) / (USUAL_LOAD * perSecond(product)) - USUAL_LATENCY
    rounds.push({ echo, product, peer, alone, withPauses: await call(LISTENERS, pause) })
    console.log(
      `  round ${round + 1}: ${perSecond(product).toFixed()} ratings a second, ${product.p99.toFixed(1)} ms`,
    )
  }

  const judgeRounds = (what: string, of: (round: Round) => number, goal?: Goal) =>
    judge(what, rounds.map(of), goal)
  judgeRounds("the echo's calls a second", ({ echo }) => perSecond(echo))
  judgeRounds('ratings a second', ({ product }) => perSecond(product))
  judgeRounds("ratings by the echo's calls", ({ product, echo }) => perSecond(product) / perSecond(echo), {
    least: GOALS.ofEcho,
  })
  if (PEER_URL) {
    const ofPeer = ({ peer }: Round) => (peer ? perSecond(peer) : Number.NaN)
    judgeRounds("the peer's ratings a second", ofPeer)
    judgeRounds("ratings by the peer's", (round) => perSecond(round.product) / ofPeer(round))
    judgeRounds("the peer's p99, ms", ({ peer }) => peer?.p99 ?? Number.NaN)
  }
  judgeRounds('p50, ms', ({ product }) => product.p50)
  judgeRounds('p99, ms', ({ product }) => product.p99)
  judgeRounds('p50 of a lone caller, ms', ({ alone }) => alone.p50)
  judgeRounds(
    'calls with pauses by calls without',
    ({ withPauses, product }) => perSecond(withPauses) / perSecond(product),
  )
  judgeRounds('p99 with pauses, ms', ({ withPauses }) => withPauses.p99, { most: GOALS.p99 })
  judgeCpu(
    'a rating',
    rounds.map(({ echo, product }) => ({ echo, cpu: product.cpu, count: product.calls })),
  )
  const loads = rounds.flatMap(({ echo, product, peer, alone, withPauses }) => [
    ...[echo, product, alone, withPauses],
    ...(peer ? [peer] : []),
  ])
  judgeCount('calls rejected or without a response', sumOf(loads.map(({ refused }) => refused)))
}

/** In microseconds, and as multiples of the echo's CPU for a call, because microseconds differ by machine. */
function judgeCpu(what: string, rounds: { echo: MeasuredLoad; cpu: Cpu; count: number }[]): void {
  const echoTimes = rounds.map(({ echo }) => (echo.cpu.echo * 1e6) / echo.calls)
  judge("the echo's CPU for a call, µs", echoTimes)
  for (const [owner, program] of [
    ["PostgreSQL's", 'postgres'],
    ["the server's", 'server'],
  ] as const) {
    const times = rounds.map(({ cpu, count }) => (cpu[program] * 1e6) / count)
    const multiples = times.map((time, n) => time / (echoTimes[n] ?? Number.NaN))
    judge(`${owner} CPU for ${what}, µs`, times)
    judge(`${owner} CPU for ${what} by the echo's for a call`, multiples)
  }
}

async function measureMinute(bench: Bench): Promise<void> {
  const { app, songs } = bench
  const listeners = await createListeners(app.db, songs, MINUTE_LISTENERS)
  console.log(`${MINUTE_LISTENERS} listeners, a minute in ${MINUTE} s each; ${ROUNDS} rounds`)
  const { firstListener } = listeners
  // A listener's first minutes unlock several, later ones hardly any.
  await app.db`
    insert into achievements (user_id, type, announced_at) select listener, type, now()
    from generate_series(${firstListener}::bigint, ${firstListener + MINUTE_LISTENERS - 1}::bigint) as listener,
      achievement_rules`
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const echo = await measureEcho(bench)
    const minutes = await withCpu(bench, async () => {
      const answers = await listenForMinute(app.url, listeners, MINUTE)
      await waitForRollUp(app.db)
      return answers
    })
    rounds.push({ ...minutes, echo, count: MINUTE_LISTENERS })
  }
  judge(
    'calls in a minute of a listener',
    rounds.map(({ calls }) => calls / MINUTE_LISTENERS),
  )
  judgeCpu("a listener's minute", rounds)
  judgeCount('calls rejected or without a response', sumOf(rounds.map(({ refused }) => refused)))
}

/** Continues to that many ratings without a pause, in which the process could free memory. */
async function measureMemory(app: TestServer, listeners: LoadListeners): Promise<void> {
  let seconds = Math.min(10, RATINGS / 1000)
  let target = productAt(app.url, listeners)
  let refused = 0
  for (;;) {
    await wait(1500)
    const [row] = await app.db<{ ratings: number }[]>`select ratings::int from community_totals`
    const missingRatings = RATINGS - (row?.ratings ?? 0)
    if (missingRatings <= 0) break
    const load = await loadByHttp(target, listeners.sessions, { seconds, connections: LISTENERS })
    refused += load.refused
    // No song twice, because a repeated rating writes nothing.
    target = { ...target, firstSong: target.firstSong + Math.ceil(load.calls / MEMORY_LISTENERS) + 50 }
    seconds = Math.max(1, Math.min(30, Math.ceil((missingRatings - load.calls) / perSecond(load))))
  }
  judge('memory of the server process, MiB', residentMiB(app.workers()[0] ?? 0), { most: GOALS.memory })
  judgeCount('calls rejected or without a response before', refused)
}
