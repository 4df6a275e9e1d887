import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { rollUp } from '../../server/community/rollUp.ts'
import { type ConnectionTarget, connect, type Database } from '../../server/db/connection.ts'
import { countFromRatings, findSkippedSongs, readStoredCounts } from './counts.ts'
import { createEverywhere, databaseAt, dropEverywhere, maintenance } from './testCluster.ts'

export interface TestDatabase {
  target: ConnectionTarget
  db: Database
}

/** A database for this test file, copied from the template and dropped afterwards. Filled in before the first test. */
export function setUpDatabase(): TestDatabase {
  const database = {} as TestDatabase
  let drop = async () => {}
  beforeAll(async () => {
    const testDatabase = await createTestDatabase()
    Object.assign(database, testDatabase)
    drop = testDatabase.drop
  })
  afterAll(() => drop())
  return database
}

export async function createTestDatabase(): Promise<TestDatabase & { drop: () => Promise<void> }> {
  const server = inject('server')
  const name = `${inject('template')}_${randomBytes(5).toString('hex')}`
  await createEverywhere(inject('nodes'), name, inject('template'))
  const target = databaseAt(server, name)
  // The product's limit of five seconds is too short for a machine that is busy with other tests.
  const db = connect(target, { max: 8, settings: { statement_timeout: '60000' } })
  return {
    target,
    db,
    async drop() {
      await db.end({ timeout: 5 })
      await dropEverywhere(inject('nodes'), name)
    },
  }
}

/** Provides a database without tables. */
export async function withEmptyDatabase(use: (target: ConnectionTarget) => Promise<void>): Promise<void> {
  const server = inject('server')
  const name = `bob_empty_${process.pid}_${randomBytes(5).toString('hex')}`
  await maintenance(server, (db) => db`create database ${db(name)}`)
  try {
    await use(databaseAt(server, name))
  } finally {
    await maintenance(server, (db) => db`drop database ${db(name)} with (force)`)
  }
}

/** Whether the tests run on a cluster with Citus. */
export const isOnCluster = (): boolean => inject('nodes').length > 1

/**
 * `test` for what a cluster cannot do, for this reason: there it is reported as skipped. docs/decisions/0024 lists
 * them.
 */
export const exceptOnCluster = (_reason: string) => (isOnCluster() ? test.skip : test)

/**
 * Every stored count must equal a recount of the ratings: the listeners' own at once, the totals after a
 * roll-up. And no pass may have skipped an unrated live song.
 */
export async function expectRecount(db: Database): Promise<void> {
  await rollUp(db)
  expect(await readStoredCounts(db)).toEqual(await countFromRatings(db))
  expect(await findSkippedSongs(db)).toEqual([])
}
