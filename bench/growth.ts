import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { getCommunityStats, listMicrogenreStats, listTrending } from '../contract/community.ts'
import { writeAchievementRules } from '../server/achievements/achievements.ts'
import { createSession } from '../server/auth/sessions.ts'
import { rollUp } from '../server/community/rollUp.ts'
import { connect, type Database } from '../server/db/connection.ts'
import type { EmbeddedConnection } from '../server/db/embedded/connection.ts'
import { startEmbedded } from '../server/db/embedded/startEmbedded.ts'
import { migrateDatabase } from '../server/db/migrate.ts'
import { foldTexts } from '../server/foldTexts.ts'
import { startTestServer } from '../tests/browser/testServer.ts'
import { visitorAt } from '../tests/harness/visitor.ts'
import {
  calls,
  type Guest,
  inviteGuest,
  inviteLongListener,
  longCalls,
  writeLongListener,
} from './growth/calls.ts'
import { fillDatabase, type Size } from './growth/fill.ts'
import { measureMidnight } from './growth/midnight.ts'
import {
  type AddCleanUp,
  beginPart,
  finish,
  judge,
  judgeCount,
  median,
  quantile,
  setting,
  withCleanUp,
} from './measure/report.ts'

/* The cost of calls in a small and in a large database. See README.md. */

/** 1 for a million songs and ten million ratings. */
const SCALE = setting('BENCH_SCALE', 1, 0.002)
const ROUNDS = setting('BENCH_ROUNDS', 7, 1)
/** Calls per round and database. */
const CALLS = setting('BENCH_CALLS', 100, 10)

const SMALL_SIZE = { songs: 1000, ratings: 10_000 }
const LARGE_SIZE = { songs: Math.max(2000, 1_000_000 * SCALE), ratings: Math.max(20_000, 10_000_000 * SCALE) }

/** Ratings of two listeners, whose calls should cost the same. */
const LISTENERS = [10_000, 50_000].map((ratings) => Math.min(ratings, (LARGE_SIZE.songs * ratings) / 100_000))

/** A cost as a multiple, p99 of the community page and of a rating at midnight in ms. */
const GOALS = { growth: 1.5, community: 20, rating: 50 }

/** The version of what `fillDatabase` writes. Increase it after a change. */
const FILL_VERSION = 2

/** Settings of the connection that writes the data. */
const FILL_SETTINGS = {
  statement_timeout: '0',
  synchronous_commit: 'off',
  work_mem: '512MB',
  maintenance_work_mem: '512MB',
}

await withCleanUp(measure)
finish()

async function measure(later: AddCleanUp): Promise<void> {
  // With BENCH_DIR the databases are kept there for the next run of the same scale.
  const folder = process.env.BENCH_DIR && path.join(process.env.BENCH_DIR, `growth-${FILL_VERSION}-${SCALE}`)
  const dataDir = folder || (await mkdtemp(path.join(os.tmpdir(), 'bob-growth-')))
  if (!folder) later(() => rm(dataDir, { recursive: true, force: true }))
  const embedded = await startEmbedded({ dataDir, log: () => {}, noSync: true })
  later(() => embedded.stop())
  const small = await make({ ...embedded.connection, database: 'small' }, dataDir, SMALL_SIZE)
  // The database that a server on this folder uses.
  const large = await make(embedded.connection, dataDir, LARGE_SIZE)
  // As the server connects.
  const one = connect(small, { max: 1, lookups: true })
  const other = connect(large, { max: 1, lookups: true })
  await compareSizes(one, other)
  await compareListeners(large, other)
  for (const db of [one, other]) await db.end({ timeout: 5 })
  await embedded.stop()
  await measureServer(dataDir)
}

async function make(at: EmbeddedConnection, dataDir: string, size: Size): Promise<EmbeddedConnection> {
  const filledMarker = path.join(dataDir, `${at.database}-is-filled`)
  if (!existsSync(filledMarker)) {
    const admin = connect({ ...at, database: 'postgres' }, { max: 1 })
    await admin`drop database if exists ${admin(at.database)} with (force)`
    await admin`create database ${admin(at.database)}`
    await admin.end({ timeout: 5 })
  }
  await migrateDatabase(at)
  const db = connect(at, { max: 1, settings: FILL_SETTINGS })
  if (!existsSync(filledMarker)) {
    const started = Date.now()
    await writeAchievementRules(db)
    await fillDatabase(db, size)
    console.log(`  ${describe(size)}: written in ${Math.round((Date.now() - started) / 1000)} s`)
    await writeFile(filledMarker, '')
  }
  // Else searches read every row, and the server's job folds the names during the measurement.
  await foldTexts(db)
  await db`vacuum analyze songs, users`
  await db.end({ timeout: 5 })
  return at
}

function describe({ songs, ratings }: Size): string {
  return `${songs.toLocaleString('en')} songs, ${ratings.toLocaleString('en')} ratings`
}

type Times = Record<string, number[]>

/** One side of a comparison: the milliseconds of all calls in one round. */
type MeasureRound = (round: number) => Promise<Times>

/** All calls at both sizes. */
async function compareSizes(small: Database, large: Database): Promise<void> {
  const sideOf =
    (db: Database): MeasureRound =>
    async (round) =>
      measureRound(calls, { ...(await inviteGuest(db)), microgenre: (round * 2) % 20 })
  beginPart('data')
  console.log(`\nms at ${describe(SMALL_SIZE)} and at ${describe(LARGE_SIZE)}`)
  await compare([sideOf(small), sideOf(large)])
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
    (listener = ''): MeasureRound =>
    async (round) =>
      measureRound(longCalls, {
        ...(await inviteLongListener(db, listener)),
        microgenre: (round * 2) % 20,
      })
  beginPart('listener')
  console.log(
    `\nms of listeners with ${LISTENERS.map((each) => each.toLocaleString('en')).join(' and ')} ratings`,
  )
  await compare([sideOf(listeners[0]), sideOf(listeners[1])])
}

async function measureRound<Caller extends Guest>(
  all: Record<string, (guest: Caller) => Promise<unknown>>,
  guest: Caller,
): Promise<Times> {
  const times: Times = {}
  for (const [name, call] of Object.entries(all)) {
    const durations: number[] = []
    times[name] = durations
    for (let n = 0; n < CALLS; n++) {
      if (name.startsWith('rating') && n === CALLS / 2)
        Object.assign(guest, { microgenre: guest.microgenre + 1, song: null })
      const started = performance.now()
      await call(guest)
      durations.push(performance.now() - started)
    }
  }
  return times
}

/** Alternates between two sides, so that neither is always first. */
async function compare(sides: readonly [MeasureRound, MeasureRound]): Promise<void> {
  const medians: Record<string, [number[], number[]]> = {}
  // The first round has cold caches and does not count.
  for (let round = -1; round < ROUNDS; round++) {
    for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const times = await sides[side](Math.max(0, round))
      if (round < 0) continue
      for (const [name, each] of Object.entries(times)) {
        medians[name] ??= [[], []]
        medians[name][side].push(median(each))
      }
    }
  }
  for (const [name, [small, large]] of Object.entries(medians)) {
    console.log(`${name}: ${median(small).toFixed(3)} and ${median(large).toFixed(3)} ms`)
    const ratios = large.map((value, n) => value / (small[n] ?? Number.NaN))
    judge(`${name}, large by small`, ratios, { most: GOALS.growth })
  }
}

/** The built server on the large database: its start, the community page over HTTP, and midnight. */
async function measureServer(dataDir: string): Promise<void> {
  await withCleanUp(async (later) => {
    const started = performance.now()
    const app = await startTestServer({ DATA_DIR: dataDir, LOG_LEVEL: 'info' })
    later(() => app.close())
    console.log('\nThe built server on the large database')
    beginPart('server')
    judge('start to the first response, s', (performance.now() - started) / 1000)
    const [listener] = await app.db<{ id: string }[]>`select min(id) as id from users`
    const session = (await createSession(app.db, listener?.id ?? '', null)) ?? ''
    const visitor = visitorAt(app.url, new Map([['session', session]]))
    for (const endpoint of [getCommunityStats, listTrending, listMicrogenreStats]) {
      const times: number[] = []
      for (let n = 0; n <= 3 * CALLS; n++) {
        const askedAt = performance.now()
        const { status } = await visitor.call(endpoint)
        if (status !== 200) throw new Error(`${endpoint.path} responded ${status}.`)
        // The first call has cold caches.
        if (n > 0) times.push(performance.now() - askedAt)
      }
      judge(`${endpoint.path}, ms`, times)
      judge(`${endpoint.path}, ms, p99`, quantile(times, 0.99), { most: GOALS.community })
    }
    const { songs, seconds, calm, meanwhile, wrong } = await measureMidnight(app)
    beginPart('midnight')
    console.log(`\nMidnight: ${songs.toLocaleString('en')} songs leave the windows`)
    judge('until all songs have left, s', seconds)
    judge('p99 of a rating before, ms', calm)
    judge('p99 of a rating, ms', meanwhile, { most: GOALS.rating })
    judge('p99 by p99 before', meanwhile / calm, { most: GOALS.growth })
    judgeCount('songs with a wrong total', wrong)
  })
}
