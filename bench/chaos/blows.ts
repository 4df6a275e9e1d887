import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../server/db/connection.ts'
import { clusterDirOf } from '../../server/db/embedded/cluster.ts'
import { readPidFile } from '../../server/db/embedded/pidFile.ts'
import { type House, openHouse } from '../../tests/browser/house.ts'
import { prepareCuttingProxy } from './cuttingProxy.ts'
import { prepareMovedClock } from './movedClock.ts'
import type { Blow } from './scene.ts'
import { prepareSmallDisk } from './smallDisk.ts'

/** Milliseconds that a database stands still: longer than a call waits. */
const FROZEN = 10_000

/** Milliseconds that the server process stands still: longer than a statement may take. */
const STOPPED = 6500

/** Backends ended in one round, and milliseconds between two. */
const BACKENDS = 20
const PAUSE = 50

export const blows = {
  server: inHouse('kill -9 of the server process', async (house) => {
    await house.kill('server')
    await house.start()
  }),
  database: inHouse('kill -9 of the database', (house) => house.kill('database')),
  both: inHouse('kill -9 of both', async (house) => {
    await house.kill('both')
    await house.start()
  }),
  // To the postmaster SIGINT is a fast shutdown, and the server brings it up again. To it alone: one that its
  // checkpointer gets ends the log while others still write to it, which no operator can do.
  restart: inHouse('restart of the database', async (house) => {
    const postmaster = await readPidFile(clusterDirOf(house.dataDir))
    if (postmaster) process.kill(postmaster.pid, 'SIGINT')
  }),
  backends: inHouse(`${BACKENDS} backends ended, one by one`, async ({ db }) => {
    for (let n = 0; n < BACKENDS; n++) {
      await db`select pg_terminate_backend(${await someBackend(db)})`
      await wait(PAUSE)
    }
  }),
  // PostgreSQL ends all other backends as well, and recovers.
  backend: inHouse('kill -9 of one backend', async ({ db }) => {
    process.kill(await someBackend(db), 'SIGKILL')
  }),
  proxy: { title: 'connections reset by a proxy', prepare: prepareCuttingProxy },
  stopped: inHouse(`server process stopped for ${STOPPED / 1000} s`, async (house) => {
    process.kill(house.pid(), 'SIGSTOP')
    await wait(STOPPED)
    process.kill(house.pid(), 'SIGCONT')
  }),
  disk: { title: 'full disk', prepare: prepareSmallDisk },
  frozen: inHouse(`database frozen for ${FROZEN / 1000} s`, async (house) => {
    await house.signalDatabase('SIGSTOP')
    await wait(FROZEN)
    await house.signalDatabase('SIGCONT')
  }),
  clock: { title: 'clock moved and put right', prepare: prepareMovedClock },
} satisfies Record<string, Blow>

export type Kind = keyof typeof blows

/** One that answers calls, if possible in the middle of a statement. */
async function someBackend(db: Database): Promise<number> {
  const [backend] = await db<{ pid: number }[]>`
    select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
    order by state = 'active' desc, random() limit 1`
  if (!backend) throw new Error('The server has no connection to its database.')
  return backend.pid
}

function inHouse(title: string, strike: (house: House) => Promise<void>): Blow {
  return {
    title,
    async prepare() {
      const house = await openHouse({ LOG_LEVEL: 'info' })
      return { house, strike: () => strike(house), close: () => house.close() }
    },
  }
}
