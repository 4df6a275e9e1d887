import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../server/db/connection.ts'
import { clusterDirOf } from '../../server/db/embedded/cluster.ts'
import { readPidFile } from '../../server/db/embedded/pidFile.ts'
import { startTestServer, type TestServer } from '../../tests/browser/testServer.ts'
import { prepareMovedClock } from './movedClock.ts'
import { preparePowerCut } from './powerCut.ts'
import { prepareResettingProxy } from './resettingProxy.ts'
import type { Fault } from './scenario.ts'
import { prepareSmallDisk } from './smallDisk.ts'

/** Milliseconds for which the database is paused: longer than a call waits. */
const FROZEN = 10_000

/** Milliseconds for which the server process is paused: longer than the statement timeout. */
const STOPPED = 6500

/** Backends terminated in one round, and milliseconds between two. */
const BACKENDS = 20
const PAUSE = 50

export const faults = {
  server: withServer('kill -9 of the server process', async (app) => {
    await app.kill('server')
    await app.start()
  }),
  database: withServer('kill -9 of the database', (app) => app.kill('database')),
  both: withServer('kill -9 of both', async (app) => {
    await app.kill('both')
    await app.start()
  }),
  // SIGINT is the postmaster's fast shutdown, after which the server restarts it. Only the postmaster gets the signal:
  // its checkpointer would shut the log down while others still write to it, which no operator can do.
  restart: withServer('restart of the database', async (app) => {
    const postmaster = await readPidFile(clusterDirOf(app.dataDir))
    if (postmaster) process.kill(postmaster.pid, 'SIGINT')
  }),
  backends: withServer(`${BACKENDS} backends terminated, one by one`, async ({ db }) => {
    for (let n = 0; n < BACKENDS; n++) {
      await db`select pg_terminate_backend(${await someBackend(db)})`
      await wait(PAUSE)
    }
  }),
  // PostgreSQL then ends all other backends too, and recovers.
  backend: withServer('kill -9 of one backend', async ({ db }) => {
    process.kill(await someBackend(db), 'SIGKILL')
  }),
  proxy: { title: 'connections reset by a proxy', prepare: prepareResettingProxy },
  stopped: withServer(`server process paused for ${STOPPED / 1000} s`, async (app) => {
    process.kill(app.pid(), 'SIGSTOP')
    await wait(STOPPED)
    process.kill(app.pid(), 'SIGCONT')
  }),
  disk: { title: 'full disk', prepare: prepareSmallDisk },
  frozen: withServer(`database paused for ${FROZEN / 1000} s`, async (app) => {
    await app.signalDatabase('SIGSTOP')
    await wait(FROZEN)
    await app.signalDatabase('SIGCONT')
  }),
  clock: { title: 'clock changed and corrected', prepare: prepareMovedClock },
  power: { title: 'power cut', prepare: () => preparePowerCut({ isSafe: true }) },
  unflushed: {
    title: 'power cut while ratings are acknowledged before they are flushed: some must be lost',
    isLossy: true,
    prepare: () => preparePowerCut({ isSafe: false }),
  },
} satisfies Record<string, Fault>

export type Kind = keyof typeof faults

/** A backend that serves calls, if possible one that is running a statement. Waits until the server has connected. */
async function someBackend(db: Database): Promise<number> {
  for (;;) {
    const [backend] = await db<{ pid: number }[]>`
      select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
      order by state = 'active' desc, random() limit 1`
    if (backend) return backend.pid
    await wait(PAUSE)
  }
}

function withServer(title: string, inject: (app: TestServer) => Promise<void>): Fault {
  return {
    title,
    async prepare() {
      const app = await startTestServer({ LOG_LEVEL: 'info' })
      return { app, inject: () => inject(app), close: () => app.close() }
    },
  }
}
