import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type Database } from '../../server/db/connection.ts'
import { FUNCTIONS, keepFunctions, makeFunctionSet, readFunctions } from '../../server/db/functions.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { packageFolder } from '../../server/packageFolder.ts'
import { makeListener, makeMicrogenre, nextSong, rate } from '../factories.ts'
import { layLine } from '../harness/cutConnection.ts'
import { exceptOnCluster } from '../harness/exceptOnCluster.ts'
import { freePort } from '../harness/freePort.ts'
import { expectRecount } from '../harness/recount.ts'
import { startApp } from '../harness/setUpApp.ts'
import { createTestDatabase, withEmptyDatabase } from '../harness/setUpDatabase.ts'
import { signInAt } from '../harness/signInAt.ts'
import type { Visitor } from '../harness/visitor.ts'

/* Functions are files. Each version of the server has its own in a schema of the database. */

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

/** Other functions: this one has another text. */
const withText = (name: string, text: string) => makeFunctionSet(new Map([...readFunctions(), [name, text]]))

const other = withText('song_at_place', `${readFunctions().get('song_at_place')}-- changed`)

test('each version has a schema with its functions, which a second start leaves as it is', async () => {
  const before = await functionsIn(database.db, FUNCTIONS.schema)
  await Promise.all([start(other), start(FUNCTIONS), start(other), start(FUNCTIONS)])

  expect(await functionsIn(database.db, FUNCTIONS.schema)).toEqual(before)
  expect(Object.keys(before).sort()).toEqual([...FUNCTIONS.texts.keys()].sort())
  expect(Object.keys(await functionsIn(database.db, other.schema))).toEqual(Object.keys(before))
  expect(await schemasIn(database.db)).toEqual([FUNCTIONS.schema, other.schema].sort())
})

test('a schema that no server has used for seven days is dropped, and no other', async () => {
  const { db } = database
  await start(other)
  await db.unsafe(
    `create schema functions_of_the_operator; comment on schema functions_of_the_operator is 'used 1'`,
  )
  await keepFunctions(db)
  expect(await schemasIn(db)).toContain(other.schema)

  const eightDaysAgo = Math.floor(Date.now() / 1000) - 8 * 86_400
  for (const { schema } of [other, FUNCTIONS])
    await db.unsafe(`comment on schema ${schema} is 'used ${eightDaysAgo}'`)
  await keepFunctions(db)

  expect(await schemasIn(db)).toEqual([FUNCTIONS.schema, 'functions_of_the_operator'].sort())
  const genre = await makeMicrogenre(db, 2)
  const [row] = await db.unsafe<{ outcome: string }[]>(
    `select outcome from ${FUNCTIONS.schema}.store_rating(${await makeListener(db)}, ${genre.id}, ${genre.songs[0]}, true, null, null)`,
  )
  expect(row?.outcome).toBe('rated')
})

test('when a function cannot be created, the error names it and the other functions are as before', async () => {
  const broken = withText('rating_time', 'CREATE FUNCTION functions.rating_time(')
  await expect(start(broken)).rejects.toThrow(
    /^The database function rating_time cannot be created: syntax error/,
  )

  expect(await schemasIn(database.db)).toEqual([FUNCTIONS.schema])
})

test('a role that owns its database may do all that a start does', async () => {
  await withEmptyDatabase(async (target) => {
    const db = connect(target, { max: 1 })
    const role = `owner_${process.pid}_${Date.now()}`
    const [{ name } = { name: '' }] = await db<{ name: string }[]>`select current_database() as name`
    await db.unsafe(
      `create role ${role}; alter database ${name} owner to ${role}; alter database ${name} set role = ${role}`,
    )
    try {
      await migrateDatabase(target)
      expect(await schemasIn(db)).toEqual([FUNCTIONS.schema])
    } finally {
      await db.unsafe(`reset role; alter database ${name} reset role; reassign owned by ${role} to current_user;
        drop owned by ${role}; drop role ${role}`)
      await db.end({ timeout: 5 })
    }
  })
})

test('PostgreSQL accepts the body of every function on its own', async () => {
  await database.db.begin(async (tx) => {
    for (const text of FUNCTIONS.texts.values())
      await tx.unsafe(text.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'))
  })
})

exceptOnCluster('the servers are others than the one of the cluster')(
  'servers with different functions rate on one database, and one of them goes back',
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-next-'))
    const line = await layLine(database.target)
    const { app, close } = await startApp(database.target)
    const next = await startServer(await makeNextVersion(folder), line.target)
    try {
      const genre = await makeMicrogenre(database.db, 40)
      const [ada, bob] = [
        rateInTurns('ada@example.test', genre.id),
        rateInTurns('bob@example.test', genre.id),
      ]

      const both = await Promise.all([ada, bob].map((rateAt) => rateAt([app.url, next.url], 10)))
      expect(both).toEqual(Array(2).fill([1, 1002, 3, 1004, 5, 1006, 7, 1008, 9, 1010]))
      await next.end()
      await migrateDatabase(database.target)
      expect(await ada([app.url, (await app.another()).url], 4)).toEqual([11, 12, 13, 14])
      await expectRecount(database.db)
    } finally {
      await next.end()
      await close()
      await line.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
  // On a busy machine the other server takes a minute to start from its sources.
  300_000,
)

/** Rates songs at these servers in turns. Gives what each said that the listener's ratings are now. */
function rateInTurns(email: string, microgenreId: string) {
  return async (urls: string[], most: number): Promise<number[]> => {
    await database.db`delete from rate_limits`
    // One after the other: a new link replaces the one before.
    const visitors: Visitor[] = []
    for (const url of urls) visitors.push(await signInAt(url, email))
    const totals: number[] = []
    for (let n = 0; n < most; n++) {
      const visitor = visitors[n % visitors.length] as Visitor
      const song = await nextSong(visitor, microgenreId)
      const { body } = await rate(visitor, microgenreId, song?.id ?? '')
      totals.push(body.totals.totalRatings)
    }
    return totals
  }
}

/** The sources of a server with a function that gives each listener a thousand ratings more. It shows no page. */
async function makeNextVersion(folder: string): Promise<string> {
  for (const each of [
    'server',
    'contract',
    'catalogue',
    'package.json',
    'tsconfig.base.json',
    'tsconfig.json',
  ])
    await cp(packageFolder(each), path.join(folder, each), { recursive: true })
  await symlink(packageFolder('node_modules'), path.join(folder, 'node_modules'))
  await mkdir(path.join(folder, 'dist/web'), { recursive: true })
  await writeFile(path.join(folder, 'dist/web/index.html'), '<!doctype html><head></head>')
  const file = path.join(folder, 'server/db/functions/rating_figures.sql')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('coalesce(total_ratings, 0)', 'total_ratings + 1000'))
  return folder
}

async function startServer(sources: string, target: string) {
  const port = await freePort()
  const { PATH, HOME } = process.env
  const env = { DATABASE_URL: target, DATA_DIR: path.join(sources, 'data'), PORT: String(port) }
  const server = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), 'server/main.ts'], {
    cwd: sources,
    env: { PATH, HOME, NODE_ENV: 'test', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'close')
  await new Promise<void>((resolve, reject) => {
    let output = ''
    server.stdout.on('data', (chunk) => {
      output += String(chunk)
      if (output.includes('is ready at')) resolve()
    })
    void ended.then(() => reject(new Error(`The server ended:\n${output}`)))
  })
  return {
    url: `http://localhost:${port}`,
    end: () => {
      server.kill('SIGTERM')
      return ended
    },
  }
}

const start = (functions: typeof FUNCTIONS) => migrateDatabase(database.target, { functions })

async function functionsIn(db: Database, schema: string): Promise<Record<string, string>> {
  const rows = await db<{ name: string; row: string }[]>`
    select proname as name, xmin::text || ' ' || oid as row from pg_proc where pronamespace = ${schema}::regnamespace
    order by 1`
  return Object.fromEntries(rows.map(({ name, row }) => [name, row]))
}

async function schemasIn(db: Database): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select nspname as name from pg_namespace where nspname like 'functions_%' order by 1`
  return rows.map(({ name }) => name)
}
