import { setTimeout as wait } from 'node:timers/promises'
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
  // To PostgreSQL SIGINT is a fast shutdown; the server brings it up again.
  restart: inHouse('restart of the database', (house) => house.signalDatabase('SIGINT')),
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
