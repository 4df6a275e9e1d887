import { spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { embeddedConnection } from '../server/db/embedded/embeddedConnection.ts'
import { readPidFile } from '../server/db/embedded/pidFile.ts'
import type { EmbeddedConnection } from '../server/db/embedded/probe.ts'
import { startTestServer } from '../tests/browser/testServer.ts'
import { beginPart, finish, judge, setting, skip, wantedParts } from './measure/goals.ts'
import { cpuSecondsOfTree, residentBytes } from './measure/processCosts.ts'
import { findPostgresProgram } from './measure/programs.ts'
import { createListeners, createSongs, type LoadListeners } from './rate/listeners.ts'
import { type Load, loadByHttp, loadProgram } from './rate/loadByHttp.ts'
import { loadByPgbench, readStatement } from './rate/loadByPgbench.ts'
import { measureMixed } from './rate/mixed.ts'

/*
 * rate-and-advance over HTTP, compared with pgbench running the same statement and with a bare Fastify; and a mixed
 * population. See README.md.
 */

const LISTENERS = 64
const ROUNDS = setting('BENCH_ROUNDS', 5)
/** Seconds of one phase: the limit of 1,200 calls a minute for each listener stays on. */
const SECONDS = setting('BENCH_SECONDS', 8)
/** Server processes at one address. The memory of one is measured when there is one. */
const PROCESSES = setting('BENCH_PROCESSES', 1)
/** Ratings before the server's memory is measured. */
const RATINGS = setting('BENCH_RATINGS', 100_000)
/** Enough listeners taking turns that none exceeds the limit. */
const MEMORY_LISTENERS = 1024

/** More than any listener rates here. */
const SONGS = 50_000

const LEAST_SHARE = 0.5
/** The load at which p99 has its goal, as a share of what this machine can do. */
const USUAL_LOAD = 0.7
/** Milliseconds of a call at that load, about. */
const USUAL_LATENCY = 5
/** Microseconds of CPU time that PostgreSQL may take for a rating. */
const MOST_DATABASE_TIME = 250
const MOST_P99 = 50
/** MiB. */
const MOST_MEMORY = 200

const wanted = wantedParts(['load', 'memory', 'mixed'])
const pgbench = findPostgresProgram('pgbench')
if (!pgbench) {
  console.error(
    'pgbench is missing. On Debian and Ubuntu it is in postgresql-contrib or postgresql-15 (apt install postgresql-contrib), ' +
      "on macOS in Homebrew's postgresql.",
  )
  process.exit(1)
}
if (loadProgram !== 'wrk')
  console.log('wrk is not installed, so autocannon makes the calls, which uses more CPU.')

const app = await startTestServer({
  PROCESSES: String(PROCESSES),
  // pgbench needs 64 of the database's 100 connections.
  DATABASE_POOL: String(Math.min(16, Math.floor(24 / PROCESSES))),
  NODE_ENV: 'production',
  SESSION_SECRET: 'a secret that is long enough for a bench',
  LOG_LEVEL: 'info',
})
const echo = await startEcho()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().finally(() => process.exit(1)))
}
try {
  await measure()
} finally {
  await close()
}
finish()

async function measure(): Promise<void> {
  const database = await embeddedConnection(app.dataDir)
  const postmaster = (await readPidFile(`${app.dataDir}/postgres`))?.pid ?? 0
  const songs = await createSongs(app.db, SONGS)
  const newListeners = (count: number) => createListeners(app.db, songs, count)

  if (wanted.includes('load')) {
    beginPart('load')
    await measureLoad(database, postmaster, newListeners)
  }
  if (wanted.includes('memory') && PROCESSES === 1) {
    beginPart('memory')
    console.log()
    await measureMemory(await newListeners(MEMORY_LISTENERS))
  }
  if (!wanted.includes('mixed')) return
  beginPart('mixed')
  console.log('\nA mixed population')
  if (loadProgram !== 'wrk') return skip('mixed', 'wrk is not installed')
  await measureMixed(app, { database, postmaster }, songs, {
    rounds: ROUNDS,
    seconds: SECONDS,
    usual: USUAL_LOAD,
    databaseTime: MOST_DATABASE_TIME,
    p99: MOST_P99,
  })
}

async function measureLoad(
  database: EmbeddedConnection,
  postmaster: number,
  newListeners: (count: number) => Promise<LoadListeners>,
): Promise<void> {
  const warmUp = await newListeners(LISTENERS)
  const statement = await readStatement()
  await loadByHttp(app.url, warmUp, { seconds: 3, connections: LISTENERS })
  await loadByHttp(echo.url, warmUp, { seconds: 2, connections: LISTENERS })

  console.log(
    `${LISTENERS} listeners, one call each at a time; ${ROUNDS} rounds of ${SECONDS} s for each program.\n`,
  )
  console.log(
    'calls a second      HTTP  pgbench   bare Fastify   of pgbench   p50 ms   p99 ms   with pauses   p99 ms',
  )
  const rounds: {
    http: Load
    usual: Load
    pgbench: number
    echo: number
    shares: Record<string, number>
  }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const phases = {
      http: async (listeners: LoadListeners) => {
        await waitForRollUp()
        // Not counted: after an idle time the first calls wait for memory that the system reclaimed.
        await loadByHttp(app.url, await newListeners(LISTENERS), { seconds: 2, connections: LISTENERS })
        const before = [cpuSecondsOfTree(app.pid()), cpuSecondsOfTree(postmaster)]
        const http = await loadByHttp(app.url, listeners, { seconds: SECONDS, connections: LISTENERS })
        const whole = http.seconds * os.cpus().length
        const [server = 0, postgres = 0] = [app.pid(), postmaster].map(
          (pid, i) => (cpuSecondsOfTree(pid) - (before[i] ?? 0)) / whole,
        )
        return { http, shares: { [loadProgram]: http.cpu / whole, server, postgres } }
      },
      pgbench: async (listeners: LoadListeners) => {
        await waitForRollUp()
        return loadByPgbench(pgbench ?? '', database, statement, listeners, { seconds: SECONDS })
      },
    }
    // In turn, so that neither is always second.
    const [one, two] = [await newListeners(LISTENERS), await newListeners(LISTENERS)]
    const first = round % 2 === 0 ? await phases.http(one) : null
    const { callsPerSecond } = await phases.pgbench(two)
    const { http, shares } = first ?? (await phases.http(one))
    const bare = await loadByHttp(echo.url, one, { seconds: Math.min(SECONDS, 4), connections: LISTENERS })
    const perSecond = http.calls / http.seconds
    await waitForRollUp()
    const usual = await loadByHttp(app.url, await newListeners(LISTENERS), {
      seconds: SECONDS,
      connections: LISTENERS,
      pause: (1000 * LISTENERS) / (USUAL_LOAD * perSecond) - USUAL_LATENCY,
    })
    const made = { http, usual, shares, pgbench: callsPerSecond, echo: bare.calls / bare.seconds }
    rounds.push(made)
    console.log(
      `  round ${round + 1}        ${padded(perSecond, 8)} ${padded(made.pgbench, 8)} ${padded(made.echo, 14)} ` +
        `${padded(perSecond / made.pgbench, 12, 2)} ${padded(http.p50, 8, 1)} ${padded(http.p99, 8, 1)} ` +
        `${padded(usual.calls / usual.seconds, 13)} ${padded(usual.p99, 8, 1)}`,
    )
  }

  const perSecond = rounds.map(({ http }) => http.calls / http.seconds)
  const shares = rounds.map((round, i) => (perSecond[i] ?? 0) / round.pgbench)
  const p99 = rounds.map(({ http }) => http.p99)
  const usualP99 = rounds.map(({ usual }) => usual.p99)
  const ofMost = rounds.map(({ usual }, i) => usual.calls / usual.seconds / (perSecond[i] ?? 0))
  const databaseTimes = rounds.map(
    ({ http, shares }) => ((shares.postgres ?? 0) * http.seconds * os.cpus().length * 1e6) / http.calls,
  )
  const refused = rounds.reduce((sum, { http, usual }) => sum + refusedOf(http) + refusedOf(usual), 0)
  console.log()
  judge('HTTP, calls a second', perSecond)
  judge('HTTP by pgbench', shares, { least: LEAST_SHARE })
  judge(
    'HTTP by a bare Fastify',
    rounds.map((round, i) => (perSecond[i] ?? 0) / round.echo),
  )
  judge(
    'p50, ms',
    rounds.map(({ http }) => http.p50),
  )
  judge('p99, ms', p99, { under: MOST_P99 })
  judge('calls with pauses by calls without', ofMost)
  judge('p99 with pauses, ms', usualP99, { under: MOST_P99 })
  judge("PostgreSQL's CPU for a rating, µs", databaseTimes, { most: MOST_DATABASE_TIME })
  judge('calls rejected or without a response', refused, { most: 0 })
  for (const part of Object.keys(rounds[0]?.shares ?? {})) {
    judge(
      `${part}, % of all CPUs`,
      rounds.map(({ shares }) => 100 * (shares[part] ?? 0)),
    )
  }
}

function refusedOf({ refused, broken }: Load): number {
  return refused + broken
}

/** Waits until the roll-up has finished the previous phase. */
async function waitForRollUp(): Promise<void> {
  while ((await app.db`select from rating_changes limit 1`).length > 0) await wait(100)
}

/** Continues to that many ratings without a pause, in which the process could free memory. */
async function measureMemory(listeners: LoadListeners): Promise<void> {
  let seconds = 10
  let next = listeners
  let refused = 0
  for (;;) {
    const rated = await countRatings()
    const bytes = residentBytes(app.pid())
    if (rated >= RATINGS) {
      const mib = bytes === null ? Number.NaN : bytes / 1024 ** 2
      judge('memory of the server process, MiB', mib, { under: MOST_MEMORY })
      judge('calls rejected or without a response before', refused, { most: 0 })
      return
    }
    const load = await loadByHttp(app.url, next, { seconds, connections: LISTENERS })
    refused += refusedOf(load)
    const pace = load.calls / load.seconds
    // No song twice, because a repeated rating writes nothing.
    next = { ...next, firstSong: next.firstSong + Math.ceil(load.calls / MEMORY_LISTENERS) + 50 }
    seconds = Math.max(1, Math.min(30, Math.ceil((RATINGS - rated - load.calls) / pace)))
  }
}

async function countRatings(): Promise<number> {
  await wait(1500)
  const [row] = await app.db<{ ratings: number }[]>`select ratings::int from community_totals`
  return row?.ratings ?? 0
}

/** In its own process, like the server. */
async function startEcho(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['--import', 'tsx', `${import.meta.dirname}/rate/echo.ts`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    url,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function close(): Promise<void> {
  await echo.stop()
  await app.close()
}

function padded(value: number, width: number, digits = 0): string {
  return value.toFixed(digits).padStart(width)
}
