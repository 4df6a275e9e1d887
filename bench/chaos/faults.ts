import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../server/db/connection.ts'
import { clusterDirOf, openCluster } from '../../server/db/embedded/cluster.ts'
import { readPidFile } from '../../server/db/embedded/connection.ts'
import { startEmbedded } from '../../server/db/embedded/startEmbedded.ts'
import type { TestServer } from '../../tests/browser/testServer.ts'
import { startDatabaseProxy } from '../../tests/harness/databaseProxy.ts'
import type { AddCleanUp } from '../measure/report.ts'
import { preparePowerCut } from './powerCut.ts'
import { makeFolder, type Scenario, startServer } from './scenario.ts'

export interface Fault {
  title: string
  /** Whether acknowledged ratings are lost, as a check that this bench would see it. */
  isLossy?: true
  /** The reason why this machine cannot run it, if there is one. */
  prepare(later: AddCleanUp): Promise<Scenario | string>
}

/** Milliseconds for which the database is paused: longer than a call waits. */
const DATABASE_PAUSE = 10_000
/** Milliseconds for which the server process is paused: longer than the statement timeout. */
const SERVER_PAUSE = 6500
/** Backends terminated in one round, resets of all connections, and milliseconds between two. */
const BACKENDS = 20
const RESET_COUNT = 30
const FAULT_INTERVAL = 50

/** PostgreSQL keeps up to 1 GB of WAL beside the data (`max_wal_size`). */
const DISK_SIZE = '1500m'
/** Milliseconds for which the disk stays full. */
const DISK_FULL_DURATION = 3000

/** Days and hours by which the clock jumps, there and back; a session lasts 30 days. */
const JUMPS = ['+1d', '-1d', '+20d', '-20d', '+1h', '-1h']
/** Milliseconds with the wrong clock; libfaketime reads its setting once a second. */
const WRONG_CLOCK = 2500

export const faults = {
  server: onServer('kill -9 of the server process', async (app) => {
    await app.kill('server')
    await app.start()
  }),
  database: onServer('kill -9 of the database', (app) => app.kill('database')),
  both: onServer('kill -9 of both', async (app) => {
    await app.kill('both')
    await app.start()
  }),
  // SIGINT is the postmaster's fast shutdown, after which the server restarts it. Only the postmaster gets the signal:
  // its checkpointer would shut the log down while others still write to it, which no operator can do.
  restart: onServer('restart of the database', async (app) => {
    const postmaster = await readPidFile(clusterDirOf(app.dataDir))
    if (postmaster) process.kill(postmaster.pid, 'SIGINT')
  }),
  backends: onServer(`${BACKENDS} backends terminated, one by one`, async ({ db }) => {
    for (let n = 0; n < BACKENDS; n++) {
      await db`select pg_terminate_backend(${await someBackend(db)})`
      await wait(FAULT_INTERVAL)
    }
  }),
  // PostgreSQL then ends all other backends too, and recovers.
  backend: onServer('kill -9 of one backend', async ({ db }) => {
    process.kill(await someBackend(db), 'SIGKILL')
  }),
  proxy: { title: 'connections reset by a proxy', prepare: prepareResets },
  stopped: onServer(`server process paused for ${SERVER_PAUSE / 1000} s`, async (app) => {
    const [pid = 0] = app.workers()
    process.kill(pid, 'SIGSTOP')
    await wait(SERVER_PAUSE)
    process.kill(pid, 'SIGCONT')
  }),
  disk: { title: 'full disk', prepare: prepareFullDisk },
  frozen: onServer(`database paused for ${DATABASE_PAUSE / 1000} s`, async (app) => {
    await app.signalDatabase('SIGSTOP')
    await wait(DATABASE_PAUSE)
    await app.signalDatabase('SIGCONT')
  }),
  clock: { title: 'clock changed and corrected', prepare: prepareClock },
  power: { title: 'power cut', prepare: (later) => preparePowerCut(later, true) },
  unflushed: {
    title: 'power cut while ratings are acknowledged before they are flushed: some must be lost',
    isLossy: true,
    prepare: (later) => preparePowerCut(later, false),
  },
} satisfies Record<string, Fault>

function onServer(title: string, inject: (app: TestServer) => Promise<void>): Fault {
  return {
    title,
    async prepare(later) {
      const app = await startServer(later)
      return { app, inject: () => inject(app) }
    },
  }
}

/** A backend that serves calls, if possible one that is running a statement. Waits until the server has connected. */
async function someBackend(db: Database): Promise<number> {
  for (;;) {
    const [backend] = await db<{ pid: number }[]>`
      select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
      order by state = 'active' desc, random() limit 1`
    if (backend) return backend.pid
    await wait(FAULT_INTERVAL)
  }
}

/** A server whose database is behind a proxy, which repeatedly resets all connections, also new ones. */
async function prepareResets(later: AddCleanUp): Promise<Scenario> {
  const folder = await makeFolder(later)
  const database = await startEmbedded({ dataDir: path.join(folder, 'database'), log: () => {} })
  later(() => database.stop())
  const line = await startDatabaseProxy(database.connection)
  later(() => line.close())
  const app = await startServer(later, { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: line.target })
  return {
    app,
    async inject() {
      for (let n = 0; n < RESET_COUNT; n++) {
        if (n % 3 === 0) line.resetNextAtFirstStatement()
        line.reset()
        await wait(FAULT_INTERVAL)
      }
    },
  }
}

/** A server whose data is on a disk of its own, which a large file fills to the last byte. */
async function prepareFullDisk(later: AddCleanUp): Promise<Scenario | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount a small disk'
  const disk = await makeFolder(later)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE},mode=0700`, 'tmpfs', disk])
  } catch (error) {
    return `a small disk cannot be mounted here (${String(error).split('\n')[0]})`
  }
  later(() => execFileSync('umount', [disk]))
  const app = await startServer(later, { DATA_DIR: path.join(disk, 'data') })
  const filling = path.join(disk, 'filling')
  later(() => rmSync(filling, { force: true }))
  return {
    app,
    async inject() {
      fillFile(filling)
      await app.db`select pg_switch_wal()`.catch(() => {})
      await wait(DISK_FULL_DURATION)
      rmSync(filling)
    },
  }
}

function fillFile(file: string): void {
  const descriptor = openSync(file, 'w')
  try {
    for (const size of [1024 * 1024, 4096]) {
      const block = Buffer.alloc(size)
      try {
        for (;;) writeSync(descriptor, block)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(descriptor)
  }
}

/** A server and database that read the time through libfaketime; the machine's own clock does not change. */
async function prepareClock(later: AddCleanUp): Promise<Scenario | string> {
  const library =
    process.env.FAKETIME_LIBRARY ??
    ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib']
      .map((folder) => `${folder}/faketime/libfaketime.so.1`)
      .find((file) => existsSync(file))
  if (!library) return 'libfaketime is not installed'
  const folder = await makeFolder(later)
  const DATA_DIR = path.join(folder, 'data')
  const clock = path.join(folder, 'clock')
  await writeFile(clock, '+0')
  const moved = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_CACHE_DURATION: '1',
    // Monotonic clocks keep running, as on a machine whose clock is set.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
  await startDatabase(DATA_DIR, moved)
  const app = await startServer(later, { DATA_DIR, ...moved })
  return {
    app,
    async inject(round) {
      await writeFile(clock, JUMPS[round % JUMPS.length] ?? '')
      await wait(WRONG_CLOCK)
      await writeFile(clock, '+0')
      await wait(1500)
    },
  }
}

/** The server would start its database with an empty environment, so start it first and let the server adopt it. */
async function startDatabase(dataDir: string, env: Record<string, string>): Promise<void> {
  const first = await startEmbedded({ dataDir, log: () => {}, noSync: true })
  await first.stop()
  const { runAs, binaries, dir, logFile } = await openCluster(dataDir, true)
  const [command = '', ...args] = [...runAs.prefix, binaries.pgCtl, 'start', '-w', '-s', '-D', '.']
  const child = spawn(command, [...args, '-l', logFile], {
    cwd: dir,
    uid: runAs.uid,
    gid: runAs.gid,
    stdio: 'ignore',
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The database with a changed clock does not start. See ${logFile}`)
}
