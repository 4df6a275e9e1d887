import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTableName, isTable } from 'drizzle-orm'
import fastify from 'fastify'
import { expect, inject, test } from 'vitest'
import {
  CannotDistribute,
  COORDINATOR_FUNCTIONS,
  DELEGATED_FUNCTIONS,
  DISTRIBUTED_TABLES,
  distribute,
  REFERENCE_TABLES,
} from '../../server/db/distribute.ts'
import { FUNCTIONS } from '../../server/db/functions.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import * as listeners from '../../server/db/tables/listeners.ts'
import { handleErrors } from '../../server/http/errors.ts'
import { NO_FRAMES } from '../../server/http/pageExtras.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { setUpDatabase } from '../harness/setUpDatabase.ts'
import { startProgram } from '../harness/startProgram.ts'
import { tableContents } from '../harness/tableContents.ts'

/* Distributing listeners over a cluster with Citus. With TEST_DATABASE_URL of one, all of tests/api runs on it. */

const database = setUpDatabase()
const isCluster = () => inject('nodes').length > 1
const { schema, texts } = FUNCTIONS

test('every listener table is distributed', () => {
  const tables = Object.values(listeners).filter((each) => isTable(each))
  expect(tables.map((table) => getTableName(table)).sort()).toEqual(
    DISTRIBUTED_TABLES.filter((name) => name !== 'listener_last_days').sort(),
  )
})

test.each(DELEGATED_FUNCTIONS)('%s names the listener first', (name) => {
  expect(texts.get(name)).toContain(`FUNCTION ${schema}.${name}(listener bigint`)
})

test('what a worker runs needs nothing from the coordinator', () => {
  const onWorkerNodes = [...DISTRIBUTED_TABLES, ...REFERENCE_TABLES]
  const elsewhere = [
    'community_totals',
    'song_days',
    'users',
    'sessions',
    'playback_reports',
    ...COORDINATOR_FUNCTIONS,
  ]
  const onWorkers = [...texts].filter(([name]) => !COORDINATOR_FUNCTIONS.some((other) => other === name))
  const wrong = onWorkers.flatMap(([name, text]) =>
    elsewhere.filter((word) => new RegExp(`\\b${word}\\b`).test(text)).map((word) => `${name}: ${word}`),
  )
  expect(onWorkerNodes.length).toBeGreaterThan(0)
  expect(wrong).toEqual([])
})

test('without Citus the command says so and changes nothing; on a cluster, repeating it changes nothing', async () => {
  const before = await tableContents(database.db)
  if (isCluster()) {
    const { changed, all } = await distribute(database.target)
    expect(changed).toEqual({ distributed: [], reference: [], delegated: [], helpers: [] })
    expect(all.distributed).toBe(DISTRIBUTED_TABLES.length)
  } else {
    await expect(distribute(database.target)).rejects.toThrow(CannotDistribute)
    await expect(distribute(database.target)).rejects.toThrow(
      /does not have the extension Citus.*Nothing was changed/,
    )
  }
  expect(await tableContents(database.db)).toEqual(before)
})

test('a start after the command leaves functions as the command made them', async () => {
  const settings = () =>
    database.db`
    select proname, proconfig from pg_proc where pronamespace = ${schema}::regnamespace order by 1`.values()
  const before = await settings()
  await migrateDatabase(database.target)
  expect(await settings()).toEqual(before)
})

test.each([
  ['remote_commands.c', 503],
  ['another.c', 500],
])(
  'a statement that lost a worker answers 503, another internal error of PostgreSQL 500 (%s)',
  async (file, status) => {
    const app = fastify()
    handleErrors(app, { styles: '', frames: NO_FRAMES })
    app.get('/', () => {
      throw Object.assign(new Error('SSL SYSCALL error: EOF detected'), { code: 'XX000', file })
    })

    expect((await app.inject('/')).statusCode).toBe(status)
  },
)

test('the command says what it did, or why it did nothing', async () => {
  const line = await startDatabaseProxy(database.target)
  const env = { DATABASE_URL: line.target, DATA_DIR: mkdtempSync(join(tmpdir(), 'bob-spread-')) }
  const run = (...args: string[]) => startProgram('database', args, { env, folder: tmpdir() }).programEnd
  try {
    expect(await run()).toMatchObject({
      code: 2,
      stderr: 'Usage: npm run database -- distribute | recount\n',
    })
    const { code, stdout, stderr } = await run('distribute')
    if (isCluster())
      expect({ code, last: stdout.split('\n').at(-2) }).toEqual({ code: 0, last: 'Nothing was left to do.' })
    else expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('the extension Citus') })
  } finally {
    await line.close()
    rmSync(env.DATA_DIR, { recursive: true, force: true })
  }
})
