import os from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { readPidFile, requireEmbeddedConnection } from '../server/db/embedded/connection.ts'
import { startTestServer, type TestServer } from '../tests/browser/testServer.ts'
import { createListeners, createSongs, type LoadListeners, waitForRollUp } from './measure/listeners.ts'
import { cpuSecondsOfTree, IN_PRODUCTION, residentMiB } from './measure/processes.ts'
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
import { type Load, loadByHttp, loadByPgbench, missingPrograms, readStatement } from './rate/programs.ts'

/* rate-and-advance over HTTP, compared with pgbench running the same statement. See README.md. */

const LISTENERS = 64
const ROUNDS = setting('BENCH_ROUNDS', 5, 1)
/** Seconds of one phase: the limit of 1,200 calls a minute for each listener stays on. */
const SECONDS = setting('BENCH_SECONDS', 8, 3)
/** Server processes at one address. The memory of one is measured when there is one. */
const PROCESSES = setting('BENCH_PROCESSES', 1)
/** Ratings before the server's memory is measured. */
const RATINGS = setting('BENCH_RATINGS', 100_000, 5000)
/** Enough listeners taking turns that none exceeds the limit. */
const MEMORY_LISTENERS = 1024
/** More than any listener rates here. */
const SONGS = 50_000
/** The load with pauses as a share of the machine's maximum, and the approximate milliseconds of a call under it. */
const USUAL_LOAD = 0.7
const USUAL_LATENCY = 5

/** p99 in ms, MiB of the server process, and microseconds of PostgreSQL's CPU time for a rating. */
const GOALS = { share: 0.5, p99: 50, memory: 200, databaseTime: 250 }

const chosenParts = wantedParts(['load', 'memory'])
const missing = missingPrograms()
if (missing.length > 0) skip('rate', `not installed: ${missing.join(', ')}`)
else await withCleanUp(measure)
finish()

async function measure(later: AddCleanUp): Promise<void> {
  const app = await startTestServer({
    PROCESSES: String(PROCESSES),
    // pgbench needs 64 of the database's 100 connections.
    DATABASE_POOL: String(Math.min(16, Math.floor(24 / PROCESSES))),
    ...IN_PRODUCTION,
  })
  later(() => app.close())
  const songs = await createSongs(app.db, SONGS)
  const newListeners = (count = LISTENERS) => createListeners(app.db, songs, count)
  for (const part of chosenParts) {
    beginPart(part)
    console.log()
    if (part === 'load') await measureLoad(app, newListeners)
    else if (PROCESSES === 1) await measureMemory(app, await newListeners(MEMORY_LISTENERS))
  }
}

interface Round {
  http: Load
  withPauses: Load
  /** Calls a second. */
  pgbench: number
  /** Of all CPUs, by program. */
  shares: { wrk: number; server: number; postgres: number }
}

async function measureLoad(app: TestServer, newListeners: () => Promise<LoadListeners>): Promise<void> {
  const database = await requireEmbeddedConnection(app.dataDir)
  const postmaster = (await readPidFile(`${app.dataDir}/postgres`))?.pid ?? 0
  const statement = await readStatement()
  const call = async (seconds: number, pause = 0) =>
    loadByHttp(app.url, await newListeners(), { seconds, connections: LISTENERS, pause })

  async function phaseOfHttp(): Promise<Pick<Round, 'http' | 'shares'>> {
    await waitForRollUp(app.db)
    // Not counted: after an idle time the first calls wait for memory that the system reclaimed.
    await call(2)
    const used = () => [app.supervisor(), postmaster].map(cpuSecondsOfTree)
    const before = used()
    const http = await call(SECONDS)
    const cpuTime = http.seconds * os.cpus().length
    const [server = 0, postgres = 0] = used().map((seconds, n) => (seconds - (before[n] ?? 0)) / cpuTime)
    return { http, shares: { wrk: http.cpu / cpuTime, server, postgres } }
  }

  async function phaseOfPgbench(): Promise<number> {
    await waitForRollUp(app.db)
    return loadByPgbench(database, statement, await newListeners(), SECONDS)
  }

  // Not counted, because the server compiles its code.
  await call(3)
  console.log(`${LISTENERS} listeners, one call each at a time; ${ROUNDS} rounds of ${SECONDS} s`)
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // Alternates, so that neither is always second.
    const first = round % 2 === 0 ? await phaseOfHttp() : null
    const pgbench = await phaseOfPgbench()
    const { http, shares } = first ?? (await phaseOfHttp())
    await waitForRollUp(app.db)
    const withPauses = await call(
      SECONDS,
      (1000 * LISTENERS) / (USUAL_LOAD * perSecond(http)) - USUAL_LATENCY,
    )
    rounds.push({ http, withPauses, shares, pgbench })
    console.log(
      `  round ${round + 1}: ${perSecond(http).toFixed()} calls a second, ${http.p99.toFixed(1)} ms`,
    )
  }

  const databaseTime = ({ http, shares }: Round) =>
    (shares.postgres * http.seconds * os.cpus().length * 1e6) / http.calls
  const measured: [string, (round: Round) => number, Goal?][] = [
    ['HTTP, calls a second', ({ http }) => perSecond(http)],
    ['HTTP by pgbench', ({ http, pgbench }) => perSecond(http) / pgbench, { least: GOALS.share }],
    ['p50, ms', ({ http }) => http.p50],
    ['p99, ms', ({ http }) => http.p99, { most: GOALS.p99 }],
    ['calls with pauses by calls without', ({ withPauses, http }) => perSecond(withPauses) / perSecond(http)],
    ['p99 with pauses, ms', ({ withPauses }) => withPauses.p99, { most: GOALS.p99 }],
    ["PostgreSQL's CPU for a rating, µs", databaseTime, { most: GOALS.databaseTime }],
  ]
  for (const [what, of, goal] of measured) judge(what, rounds.map(of), goal)
  const refused = rounds.map(({ http, withPauses }) => http.refused + withPauses.refused)
  judgeCount('calls rejected or without a response', sumOf(refused))
  for (const part of ['wrk', 'server', 'postgres'] as const) {
    const shares = rounds.map((round) => 100 * round.shares[part])
    judge(`${part}, % of all CPUs`, shares)
  }
}

function perSecond({ calls, seconds }: Load): number {
  return calls / seconds
}

/** Continues to that many ratings without a pause, in which the process could free memory. */
async function measureMemory(app: TestServer, listeners: LoadListeners): Promise<void> {
  let seconds = Math.min(10, RATINGS / 1000)
  let next = listeners
  let refused = 0
  for (;;) {
    await wait(1500)
    const [row] = await app.db<{ ratings: number }[]>`select ratings::int from community_totals`
    const missingRatings = RATINGS - (row?.ratings ?? 0)
    if (missingRatings <= 0) break
    const load = await loadByHttp(app.url, next, { seconds, connections: LISTENERS })
    refused += load.refused
    // No song twice, because a repeated rating writes nothing.
    next = { ...next, firstSong: next.firstSong + Math.ceil(load.calls / MEMORY_LISTENERS) + 50 }
    seconds = Math.max(1, Math.min(30, Math.ceil((missingRatings - load.calls) / perSecond(load))))
  }
  judge('memory of the server process, MiB', residentMiB(app.workers()[0] ?? 0), { most: GOALS.memory })
  judgeCount('calls rejected or without a response before', refused)
}
