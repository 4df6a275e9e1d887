import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { getCommunityStats, listMicrogenreStats, listTrending } from '../contract/community.ts'
import { writeAchievementRules } from '../server/achievements/rules.ts'
import { createSession } from '../server/auth/sessions.ts'
import { rollUp } from '../server/community/rollUp.ts'
import { connect, type Database } from '../server/db/connection.ts'
import type { EmbeddedConnection } from '../server/db/embedded/probe.ts'
import { startEmbedded } from '../server/db/embedded/startEmbedded.ts'
import { migrateDatabase } from '../server/db/migrate.ts'
import { startTestServer, type TestServer } from '../tests/browser/testServer.ts'
import { visitorAt } from '../tests/harness/visitor.ts'
import { calls, type Guest, inviteGuest, timeRollUp } from './growth/calls.ts'
import { explain } from './growth/explain.ts'
import { fill, type Size } from './growth/fill.ts'
import { inviteLongListener, longCalls, writeLongListener } from './growth/longCalls.ts'
import { measureMidnight } from './growth/midnight.ts'
import { beginPart, finish, judge, setting } from './measure/goals.ts'
import type { Goal } from './measure/record.ts'
import { median, quantile } from './measure/spread.ts'

/* The cost of calls in a small and in a large database. See README.md. */

/** 1 for a million songs and ten million ratings; 0.01 for a quick try. */
const SCALE = setting('BENCH_SCALE', 1)
const ROUNDS = setting('BENCH_ROUNDS', 7)
/** Calls per round and database. */
const CALLS = 100

const SMALL = { songs: 1000, ratings: 10_000 }
const LARGE = { songs: Math.max(2000, 1_000_000 * SCALE), ratings: Math.max(20_000, 10_000_000 * SCALE) }

/** Ratings of two listeners, whose calls should cost the same. */
const LISTENERS = [10_000, 50_000].map((ratings) => Math.min(ratings, (LARGE.songs * ratings) / 100_000))

const MOST_GROWTH = 1.5
const MOST_COMMUNITY_P99 = 20

/** The goals at midnight: p99 of a rating as a multiple of the calm p99, and in ms. */
const MIDNIGHT = { growth: 1.5, p99: 50 }

/** Of what `fill` writes. Increase it after a change. */
const FILL = 2

/** With BENCH_DIR the databases are kept there for the next run of the same scale. */
const kept = process.env.BENCH_DIR && path.join(process.env.BENCH_DIR, `growth-${FILL}-${SCALE}`)
const dataDir = kept ?? (await mkdtemp(path.join(os.tmpdir(), 'bob-growth-')))
const embedded = await startEmbedded({ dataDir, log: () => {}, noSync: true })
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().finally(() => process.exit(1)))
}
try {
  const small = await make('small', SMALL)
  // The database that a server on this folder uses.
  const large = await make(embedded.connection.database, LARGE)
  // As the server connects.
  const [one, other] = [small, large].map((at) => connect(at, { max: 1, lookups: true })) as [
    Database,
    Database,
  ]
  await compareSizes(one, other)
  await compareListeners(large, other)
  for (const db of [one, other]) await db.end({ timeout: 5 })
  await writeFile(path.join(import.meta.dirname, 'growth', 'plans.txt'), await explain(large))
  console.log('\nThe plans on the large database are in bench/growth/plans.txt.')
  await serve()
} finally {
  await close()
}
finish()

async function make(name: string, size: Size): Promise<EmbeddedConnection> {
  const at = { ...embedded.connection, database: name }
  const done = path.join(dataDir, `${name}-is-filled`)
  if (existsSync(done)) {
    await migrateDatabase(at)
    return at
  }
  const started = Date.now()
  const tell = (line: string) =>
    console.log(
      `  ${size.ratings.toLocaleString('en')} ratings, ${Math.round((Date.now() - started) / 1000)} s: ${line}`,
    )
  const admin = connect({ ...embedded.connection, database: 'postgres' }, { max: 1 })
  await admin`drop database if exists ${admin(name)} with (force)`
  await admin`create database ${admin(name)}`
  await admin.end({ timeout: 5 })
  await migrateDatabase(at)
  const db = connect(at, {
    max: 1,
    settings: {
      statement_timeout: '0',
      synchronous_commit: 'off',
      work_mem: '512MB',
      maintenance_work_mem: '512MB',
    },
  })
  try {
    await writeAchievementRules(db)
    await fill(db, size, tell)
    const [row] = await db<{ bytes: string }[]>`select pg_database_size(current_database()) as bytes`
    tell(`${(Number(row?.bytes) / 1024 ** 2).toFixed(0)} MiB on disk`)
  } finally {
    await db.end({ timeout: 5 })
  }
  await writeFile(done, '')
  return at
}

type Times = Record<string, number[]>

/** One side of a comparison: the milliseconds of all calls in one round. */
type Side = (round: number) => Promise<Times>

/** Alternates between two sides. */
async function compare(
  title: string,
  sides: readonly [Side, Side],
  goal: (name: string) => Goal,
): Promise<void> {
  const medians: Record<string, [number[], number[]]> = {}
  const slow: Times = {}
  for (let round = -1; round < ROUNDS; round++) {
    // In turn, so that neither is always first.
    const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)
    for (const side of order) {
      const times = await sides[side](Math.max(0, round))
      // The first round has cold caches.
      if (round < 0) continue
      for (const [name, each] of Object.entries(times)) {
        medians[name] ??= [[], []]
        medians[name][side].push(median(each))
        slow[name] ??= []
        if (side === 1) slow[name].push(...each)
      }
    }
  }
  console.log(`\n${title}: medians of ${ROUNDS} rounds of ${CALLS} calls`)
  for (const [name, [small, large]] of Object.entries(medians)) {
    const p99 = quantile(slow[name] ?? [], 0.99)
    console.log(
      `${name}: ${median(small).toFixed(3)} and ${median(large).toFixed(3)} ms, p99 then ${p99.toFixed(2)} ms`,
    )
    const ratios = large.map((value, i) => value / (small[i] ?? Number.NaN))
    judge(`${name}, large by small`, ratios, goal(name))
  }
}

/** All calls at both sizes. */
async function compareSizes(small: Database, large: Database): Promise<void> {
  const sideOf =
    (db: Database): Side =>
    async (round) => {
      const times = await measureRound(calls, { ...(await inviteGuest(db)), microgenre: (round * 2) % 20 })
      return { ...times, 'roll-up, of 1,000 changes': [await timeRollUp(db)] }
    }
  beginPart('data')
  await compare(
    `ms at ${describe(SMALL)} and at ${describe(LARGE)}`,
    [sideOf(small), sideOf(large)],
    (name) => (name in calls ? { most: MOST_GROWTH } : {}),
  )
}

/** Two listeners with very many ratings in the large database. */
async function compareListeners(at: EmbeddedConnection, db: Database): Promise<void> {
  const own = connect(at, { max: 1, settings: { statement_timeout: '0' } })
  const listeners: string[] = []
  for (const ratings of LISTENERS) listeners.push(await writeLongListener(own, ratings))
  while ((await own`select from rating_changes limit 1`).length > 0) await rollUp(own)
  await own`vacuum analyze ratings, listener_genres, listener_stats, rating_changes`
  await own.end({ timeout: 5 })
  const sideOf =
    (listener: string): Side =>
    async (round) =>
      measureRound(longCalls, {
        ...(await inviteLongListener(db, listener)),
        microgenre: (round * 2) % 20,
      })
  const [short = '', long = ''] = listeners
  const [few, many] = LISTENERS.map((ratings) => ratings.toLocaleString('en'))
  beginPart('listener')
  await compare(
    `ms of a listener with ${few} ratings and of one with ${many}`,
    [sideOf(short), sideOf(long)],
    () => ({
      most: MOST_GROWTH,
    }),
  )
}

async function measureRound<Caller extends Guest>(
  all: Record<string, (guest: Caller) => Promise<unknown>>,
  guest: Caller,
): Promise<Times> {
  const times: Times = {}
  for (const [name, call] of Object.entries(all)) {
    const taken: number[] = []
    times[name] = taken
    for (let n = 0; n < CALLS; n++) {
      if (name.startsWith('rating') && n === CALLS / 2)
        Object.assign(guest, { microgenre: guest.microgenre + 1, song: null })
      const started = performance.now()
      await call(guest)
      taken.push(performance.now() - started)
    }
  }
  return times
}

function describe(size: Size): string {
  return `${size.songs.toLocaleString('en')} songs, ${size.ratings.toLocaleString('en')} ratings`
}

/** The built server on the large database: how long it takes to start, and the community page over HTTP. */
async function serve(): Promise<void> {
  await embedded.stop()
  const started = performance.now()
  const app = await startTestServer({ DATA_DIR: dataDir, LOG_LEVEL: 'info' })
  try {
    const [listener] = await app.db<{ id: string }[]>`select min(id) as id from users`
    const session = (await createSession(app.db, listener?.id ?? '', null)) ?? ''
    console.log('\nThe built server on the large database')
    beginPart('server')
    judge('start to the first response, s', (performance.now() - started) / 1000)
    const visitor = visitorAt(app.url, new Map([['session', session]]))
    const page = [getCommunityStats, listTrending, listMicrogenreStats]
    for (const endpoint of page) await visitor.call(endpoint)
    for (const endpoint of page) {
      const times: number[] = []
      for (let n = 0; n < 300; n++) {
        const asked = performance.now()
        const { status } = await visitor.call(endpoint)
        if (status !== 200) throw new Error(`${endpoint.path} responded ${status}.`)
        times.push(performance.now() - asked)
      }
      judge(`${endpoint.path}, ms`, times)
      judge(`${endpoint.path}, ms, p99`, quantile(times, 0.99), { under: MOST_COMMUNITY_P99 })
    }
    await serveMidnight(app)
  } finally {
    await app.close()
  }
}

async function serveMidnight(app: TestServer): Promise<void> {
  const { songs, seconds, calm, meanwhile, wrong } = await measureMidnight(app)
  beginPart('midnight')
  console.log(`\nMidnight: ${songs.toLocaleString('en')} songs leave the windows`)
  judge('until all songs have left, s', seconds)
  judge('p99 of a rating before, ms', calm)
  judge('p99 of a rating, ms', meanwhile, { under: MIDNIGHT.p99 })
  judge('p99 by p99 before', meanwhile / calm, { most: MIDNIGHT.growth })
  judge('songs with a wrong total', wrong, { most: 0 })
}

async function close(): Promise<void> {
  await embedded.stop()
  if (!kept) await rm(dataDir, { recursive: true, force: true })
}
