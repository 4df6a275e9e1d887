import { setTimeout as wait } from 'node:timers/promises'
import { type ConnectionTarget, withDatabase } from '../server/db/connection.ts'
import { distribute } from '../server/db/distribute.ts'
import { migrateDatabase } from '../server/db/migrate.ts'
import { startTestServer } from '../tests/browser/testServer.ts'
import {
  createEverywhere,
  databaseAt,
  dropEverywhere,
  joinNodes,
  nodesOf,
} from '../tests/harness/testCluster.ts'
import { startLoad } from './chaos/load.ts'
import { judgeRatings, type Verification, verify } from './chaos/verify.ts'
import { createListeners, createSongs, type SongRange } from './measure/listeners.ts'
import { IN_PRODUCTION } from './measure/processes.ts'
import { beginPart, finish, isShort, judge, median, refuse, setting, skip, sumOf } from './measure/report.ts'
import { type Node, openNode } from './spread/nodes.ts'

/* Ratings on a Citus cluster with 1, 2 and 4 of its workers, and while a worker is killed. See README.md. */

const address = process.env.BENCH_CLUSTER ?? ''
const ROUNDS = setting('BENCH_ROUNDS', 3, 1)
/** Seconds of a round. */
const SECONDS = setting('BENCH_SECONDS', 8, 3)
const LISTENERS = 64
/** More than any listener rates here. */
const SONGS = 5000

/**
 * What a node's time by all ratings may become with twice the workers. Half as many ratings reach each of these; the
 * totals are written on all nodes.
 */
const MAX_GROWTH = { coordinator: 1.25, worker: 0.75 }
/** Seconds that a killed worker stays away. */
const UNREACHABLE_SECONDS = 3

if (!address && isShort) {
  skip('spread', 'BENCH_CLUSTER is not set')
  finish()
}
if (!address)
  refuse(
    'Set BENCH_CLUSTER to the address of the coordinator, with a database that has Citus and the workers: postgres://postgres@10.0.0.1/postgres. ' +
      'The role must be a superuser. The bench creates databases on all nodes and drops them.',
  )
const nodes = await nodesOf(address)
const sizes = [1, 2, 4].filter((workers) => workers < nodes.length)
if (sizes.length === 0) refuse('The database has no workers.')

const costs: { workers: number; coordinator: number; worker: number }[] = []
for (const workers of sizes) await onCluster(workers)
beginPart('growth')
for (const [n, { workers, coordinator, worker }] of costs.entries()) {
  const before = costs[n - 1]
  if (!before) continue
  const ratio = `${workers} workers by ${before.workers}`
  judge(`coordinator's time by all ratings, ${ratio}`, coordinator / before.coordinator, {
    most: MAX_GROWTH.coordinator,
  })
  judge(`one worker's time by all ratings, ${ratio}`, worker / workers / (before.worker / before.workers), {
    most: MAX_GROWTH.worker,
  })
}
finish()

/** Measures a database that only the first `workers` of the cluster share. */
async function onCluster(workers: number): Promise<void> {
  const database = `bob_bench_${process.pid}_${workers}`
  const members = nodes.slice(0, workers + 1)
  const target = databaseAt(address, database)
  try {
    await createEverywhere(members, database)
    await joinNodes(members, database)
    await migrateDatabase(target)
    await distribute(target)
    for (const node of members) await countFunctions(databaseAt(node, database), database)
    const app = await startTestServer({
      DATABASE_URL: target as string,
      ...IN_PRODUCTION,
    })
    try {
      const songs = await createSongs(app.db, SONGS)
      const openNodes = await Promise.all(members.map((node) => openNode(node, database)))
      beginPart(`${workers} ${workers === 1 ? 'worker' : 'workers'}`)
      console.log(`\n${workers} of ${nodes.length - 1} workers, ${LISTENERS} listeners`)
      await measure(app, songs, openNodes, workers)
      if (workers === sizes.at(-1)) await killOne(app, songs, openNodes)
    } finally {
      await app.close()
    }
  } finally {
    await dropEverywhere(members, database)
  }
}

type App = Awaited<ReturnType<typeof startTestServer>>

/** Calls of functions are counted in sessions that begin after this. */
async function countFunctions(target: ConnectionTarget, database: string): Promise<void> {
  await withDatabase(target, (db) =>
    db.unsafe(
      `set citus.enable_ddl_propagation = off; alter database ${database} set track_functions = 'pl'`,
    ),
  )
}

async function measure(app: App, songs: SongRange, openNodes: Node[], workers: number): Promise<void> {
  const perSecond: number[] = []
  const shares: number[] = []
  const coordinator: number[] = []
  const worker: number[] = []
  const verifications: Verification[] = []
  const calls = async () => Promise.all(openNodes.map((node) => node.callsOf('rate_song')))
  for (let round = 0; round < ROUNDS; round++) {
    const listeners = await createListeners(app.db, songs, LISTENERS)
    const load = startLoad(app.url, listeners)
    // Not counted, because the first ratings connect the nodes and deal the first songs.
    await wait(2000)
    const before = { calls: await calls(), cpu: openNodes.map((node) => node.cpu()), rated: load.rated() }
    const started = performance.now()
    await wait(SECONDS * 1000)
    const rated = load.rated() - before.rated
    const seconds = (performance.now() - started) / 1000
    const [own = Number.NaN, ...others] = openNodes.map((node, n) => node.cpu() - (before.cpu[n] ?? 0))
    const acknowledged = await load.end()
    // Sessions report what they counted within a second or so.
    await wait(2000)
    const [atCoordinator = 0, ...atWorkers] = (await calls()).map(
      (count, n) => count - (before.calls[n] ?? 0),
    )
    perSecond.push(rated / seconds)
    shares.push(sumOf(atWorkers) / (sumOf(atWorkers) + atCoordinator))
    coordinator.push((own * 1e6) / rated)
    worker.push((sumOf(others) * 1e6) / rated)
    verifications.push(await verify(app.db, listeners, acknowledged))
  }
  judge('ratings a second', perSecond)
  judge('share of ratings that a worker ran whole', shares, { least: 0.999 })
  judgeRatings(verifications)
  if (!openNodes.every(({ kill }) => kill)) return skip('CPU time', 'the nodes are on other machines')
  judge("coordinator's CPU for a rating, µs", coordinator)
  judge("all workers' CPU for a rating, µs", worker)
  judge(
    "one worker's CPU by all ratings, µs",
    worker.map((time) => time / workers),
  )
  costs.push({ workers, coordinator: median(coordinator), worker: median(worker) })
}

/** Kills a worker under load and starts it again. */
async function killOne(app: App, songs: SongRange, openNodes: Node[]): Promise<void> {
  beginPart('a worker is killed')
  console.log('\nkill -9 of one worker')
  const victim = openNodes.at(-1)
  if (!victim?.kill) return skip('a worker is killed', 'the worker is on another machine')
  const listeners = await createListeners(app.db, songs, LISTENERS)
  const load = startLoad(app.url, listeners)
  await wait(2000)
  const before = load.rated()
  const start = await victim.kill()
  await wait(UNREACHABLE_SECONDS * 1000)
  const meanwhile = load.rated() - before
  await start()
  const since = Date.now()
  await load.answered()
  const secondsToRecover = (Date.now() - since) / 1000
  await wait(2000)
  const acknowledged = await load.end()
  await endPrepared(app)
  judge('ratings a second of the others meanwhile', meanwhile / UNREACHABLE_SECONDS, { least: 1 })
  judge('all rated again after, s', secondsToRecover)
  judge('calls without a response or with a Retry-After', load.failed())
  judgeRatings([await verify(app.db, listeners, acknowledged)])
}

/** Citus does this once a minute: it ends transactions that were committed while the worker was away. */
async function endPrepared({ db }: App): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await db.unsafe('select recover_prepared_transactions()')
      return
    } catch (error) {
      // A connection that the killed worker had.
      if (tries === 5) throw error
      await wait(500)
    }
  }
}
