import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect, type Database } from '../server/db/connection.ts'
import { type Load, startLoad } from './chaos/load.ts'
import { judgeRatings, sumUp, type Verification, verify } from './chaos/verify.ts'
import { PORTS, startBalancer, startPooler } from './cluster/balancer.ts'
import { type Cluster, type Member, PASSWORD, startCluster } from './cluster/database.ts'
import { makeNetwork } from './cluster/network.ts'
import { beginPart, choice, finish, judge, setting } from './measure/goals.ts'
import { findPostgresProgram, isInstalled } from './measure/programs.ts'
import { createListeners, createSongs, type SongRange } from './rate/listeners.ts'

/*
 * Two server processes behind a load balancer and three machines with PostgreSQL, whose primary fails. See README.md.
 */

const ROUNDS = setting('BENCH_ROUNDS', 5)

/** How the servers reach the primary: HAProxy, pgbouncer in front of it, or the addresses of all three. */
const way = choice('BENCH_WAY', ['balancer', 'pooler', 'hosts'])

/** Milliseconds of rating before and after the fault, and in the round without one. */
const CALM = 2000
const NOTHING = 10_000

const LISTENERS = 16
const SERVERS = [18081, 18082]

const missing = ['ip', 'patroni', 'etcd', 'haproxy', ...(way === 'pooler' ? ['pgbouncer'] : [])].filter(
  (program) => !isInstalled(program),
)
if (!findPostgresProgram('postgres')) missing.push('postgresql')
if (process.getuid?.() !== 0 || missing.length > 0) {
  console.error(
    'This bench needs root for network namespaces, and: apt-get install patroni etcd-server haproxy postgresql iproute2.' +
      (missing.length > 0 ? ` Missing: ${missing.join(', ')}.` : ''),
  )
  process.exit(2)
}

const folder = await mkdtemp(join(os.tmpdir(), 'bob-cluster-'))
await chmod(folder, 0o755)
const network = makeNetwork(3)
const balancers: ChildProcess[] = []
const servers = new Map<number, ChildProcess>()
const end = () => {
  for (const child of [...balancers, ...servers.values()]) child.kill('SIGKILL')
  network.close()
}
process.once('SIGINT', () => {
  end()
  process.exit(1)
})

try {
  const cluster = startCluster(network, folder)
  const first = await cluster.settle(2)
  balancers.push(startBalancer(folder, network.machines, SERVERS))
  const db = connect(databaseAt(PORTS.primary), { max: 2, silence: 7000 })
  await waitFor('the database', async () => (await db`select 1`).length === 1)
  await db.unsafe("alter role postgres set statement_timeout = '5s'")
  await db.unsafe('alter role postgres set enable_seqscan = off')
  await db.unsafe('alter role postgres set jit = off')
  if (way === 'pooler') balancers.push(startPooler(folder, 'postgres', PASSWORD))
  for (const port of SERVERS) servers.set(port, startServer(port))
  await waitFor('the servers', async () => (await fetch(`http://127.0.0.1:${PORTS.http}/health`)).ok)
  const songs = await createSongs(db, 3000)
  console.log(
    `Two servers, three databases, ${first.name} is the primary. ${LISTENERS} listeners rate; ${ROUNDS} rounds each.`,
  )
  for (const [title, inject] of [
    ['nothing', () => wait(NOTHING, async () => {})],
    ['kill -9 of one server process', killServer],
    ['kill -9 of the primary machine', killPrimary],
    ['the primary cut off', cutOffPrimary],
  ] as const)
    await rounds(title, db, songs, () => inject(cluster))
  await db.end({ timeout: 5 })
} catch (error) {
  console.error(`The logs are in ${folder}.`)
  throw error
} finally {
  end()
}
await rm(folder, { recursive: true, force: true })
finish()

function databaseAt(...ports: number[]): string {
  return `postgres://postgres:${PASSWORD}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres`
}

function primaryAddress(): string {
  if (way === 'balancer') return databaseAt(PORTS.primary)
  if (way === 'pooler') return databaseAt(PORTS.pooler)
  const hosts = network.machines.map(({ address }) => `${address}:5432`).join(',')
  return `postgres://postgres:${PASSWORD}@${hosts}/postgres?target_session_attrs=primary`
}

function startServer(port: number): ChildProcess {
  const server = spawn(process.execPath, ['dist/server/main.js'], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${PORTS.http}`,
      TRUST_PROXY: '127.0.0.1',
      SESSION_SECRET: 'the same for both, or nobody stays signed in',
      DATA_DIR: join(folder, `server-${port}`),
      DATABASE_URL: primaryAddress(),
      DATABASE_READ_URL: databaseAt(PORTS.replicas),
      DATABASE_DIRECT_URL: databaseAt(PORTS.primary),
      DATABASE_PREPARE: String(way !== 'pooler'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(join(folder, `server-${port}.log`), { flags: 'a' })
  server.stdout?.pipe(log)
  server.stderr?.pipe(log)
  return server
}

/** Restarts it a second later, like a process manager. */
async function killServer(): Promise<() => Promise<void>> {
  const [port = 0] = SERVERS
  servers.get(port)?.kill('SIGKILL')
  await wait(1000)
  servers.set(port, startServer(port))
  return async () => {}
}

/** Returns a function that brings the machine back as a replica, when there is another primary. */
async function killPrimary(cluster: Cluster): Promise<() => Promise<void>> {
  const primary = await cluster.settle(1)
  primary.machine.killAll()
  return () => comeBack(cluster, primary)
}

async function cutOffPrimary(cluster: Cluster): Promise<() => Promise<void>> {
  const primary = await cluster.settle(1)
  primary.machine.pullCable()
  return async () => {
    primary.machine.plugIn()
    await comeBack(cluster, primary)
  }
}

async function comeBack(cluster: Cluster, member: Member): Promise<void> {
  member.start()
  await cluster.settle(2)
}

async function rounds(
  title: string,
  db: Database,
  songs: SongRange,
  inject: () => Promise<() => Promise<void>>,
) {
  const verifications: Verification[] = []
  const recoveries: number[] = []
  const speeds = { before: [] as number[], during: [] as number[], after: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const listeners = await createListeners(db, songs, LISTENERS)
    const load = startLoad(`http://127.0.0.1:${PORTS.http}`, listeners)
    // Not counted: the listeners' first ratings read what is not cached.
    await wait(500)
    speeds.before.push(await speedOf(load, () => wait(CALM)))
    const injected = Date.now()
    let restore = async () => {}
    const fault = async () => {
      restore = await inject()
      await load.answered()
    }
    speeds.during.push(await speedOf(load, fault))
    recoveries.push((Date.now() - injected) / 1000)
    speeds.after.push(await speedOf(load, () => wait(CALM)))
    const acknowledged = await load.end()
    await restore()
    verifications.push(await verify(db, listeners, acknowledged))
  }
  console.log(`\n${title}`)
  beginPart(`${way}, ${title}`)
  judgeRatings(sumUp(verifications))
  judge('rated again after, s', recoveries)
  judge('ratings a second before', speeds.before)
  judge('ratings a second until all have rated again', speeds.during)
  judge('ratings a second after', speeds.after)
}

/** Ratings a second while `use` runs. */
async function speedOf(load: Load, use: () => Promise<unknown>): Promise<number> {
  const [rated, started] = [load.rated(), performance.now()]
  await use()
  return ((load.rated() - rated) * 1000) / (performance.now() - started)
}

async function waitFor(what: string, isThere: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; await wait(250))
    if (await isThere().catch(() => false)) return
  throw new Error(`Timed out: ${what}.`)
}
