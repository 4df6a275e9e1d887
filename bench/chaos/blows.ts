import { setTimeout as wait } from 'node:timers/promises'
import { clusterDirOf } from '../../server/db/embedded/cluster.ts'
import { readPidFile } from '../../server/db/embedded/pidFile.ts'
import { type House, openHouse } from '../../tests/browser/house.ts'
import { prepareMovedClock } from './movedClock.ts'
import type { Blow } from './scene.ts'
import { prepareSmallDisk } from './smallDisk.ts'

/** Milliseconds that a database stands still: longer than a call waits. */
const FROZEN = 10_000

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
  disk: { title: 'full disk', prepare: prepareSmallDisk },
  frozen: inHouse(`database frozen for ${FROZEN / 1000} s`, async (house) => {
    await house.signalDatabase('SIGSTOP')
    await wait(FROZEN)
    await house.signalDatabase('SIGCONT')
  }),
  clock: { title: 'clock moved and put right', prepare: prepareMovedClock },
} satisfies Record<string, Blow>

export type Kind = keyof typeof blows

function inHouse(title: string, strike: (house: House) => Promise<void>): Blow {
  return {
    title,
    async prepare() {
      const house = await openHouse({ LOG_LEVEL: 'info' })
      return { house, strike: () => strike(house), close: () => house.close() }
    },
  }
}
