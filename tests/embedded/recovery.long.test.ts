import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createSession } from '../../server/auth/sessions.ts'
import { connect, type Database } from '../../server/db/connection.ts'
import { readPidFile } from '../../server/db/embedded/connection.ts'
import { startEmbedded } from '../../server/db/embedded/startEmbedded.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { makeMicrogenre } from '../factories.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../harness/databaseProxy.ts'
import { startMixedLoad } from '../harness/mixedLoad.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { visitorAt } from '../harness/visitor.ts'
import {
  clusterOf,
  end,
  killDatabase,
  makeDataDir,
  query,
  readNotes,
  runTypeScript,
  startOwner,
  until,
  writeNote,
} from './owners.ts'

/* What a crash of the server, of the database or of the machine leaves behind. */

test('after kill -9 of everything the next start recovers what was committed', async () => {
  const dataDir = await makeDataDir()
  const first = await startOwner(dataDir)
  await writeNote(first)
  await end(first.child, 'SIGKILL')
  await killDatabase(dataDir)

  const second = await startOwner(dataDir)
  expect(second.status).toMatchObject({ up: true, adopted: false })
  expect(await readNotes(second)).toEqual([['kept']])
})

test('when only the database dies, it is restarted at the same address', async () => {
  const dataDir = await makeDataDir()
  const owner = await startOwner(dataDir)
  await writeNote(owner)
  const before = await readPidFile(clusterOf(dataDir))
  process.kill(before?.pid ?? 0, 'SIGKILL')

  await until(async () => {
    const now = await readPidFile(clusterOf(dataDir))
    return now !== null && now.pid !== before?.pid && (await readNotes(owner)).length === 1
  })
  expect(await readNotes(owner)).toEqual([['kept']])
  await until(async () => owner.logLines.includes('the database was restarted'))
})

test('the restart also works while callers run statements', async () => {
  const dataDir = await makeDataDir()
  const owner = await startOwner(dataDir)
  const pid = (await readPidFile(clusterOf(dataDir)))?.pid ?? 0
  const busy = query(owner, (sql) => sql`select pg_sleep(60)`).catch((error: Error) => error)
  await until(() =>
    query(
      owner,
      async (sql) => (await sql`select 1 from pg_stat_activity where wait_event = 'PgSleep'`).length === 1,
    ),
  )
  process.kill(pid, 'SIGKILL')

  expect(await busy).toBeInstanceOf(Error)
  await until(() => query(owner, async (sql) => (await sql`select 1`).length === 1))
})

test('a process id in postmaster.pid that belongs to another program does not prevent the start', async () => {
  const dataDir = await makeDataDir()
  const first = await startOwner(dataDir)
  await writeNote(first)
  const file = path.join(clusterOf(dataDir), 'postmaster.pid')
  const stale = await readFile(file, 'utf8')
  await end(first.child, 'SIGKILL')
  await killDatabase(dataDir)
  await writeFile(file, stale.replace(/^\d+/, String(process.pid)))

  const second = await startOwner(dataDir)
  expect(second.status).toMatchObject({ up: true, adopted: false })
  expect(await readNotes(second)).toEqual([['kept']])
})

test.skipIf(process.platform === 'win32')(
  'a running database whose socket was deleted is restarted',
  async () => {
    const dataDir = await makeDataDir()
    const first = await startOwner(dataDir)
    await writeNote(first)
    await end(first.child, 'SIGKILL')
    await rm(path.join(first.status.connection?.host ?? '', '.s.PGSQL.5432'))

    const second = await startOwner(dataDir)
    expect(second.status).toMatchObject({ up: true, adopted: false })
    expect(await readNotes(second)).toEqual([['kept']])
  },
)

test('the log of the database is truncated', async () => {
  const dataDir = await makeDataDir()
  await mkdir(dataDir)
  await writeFile(`${clusterOf(dataDir)}.log`, 'x'.repeat(6 * 1024 * 1024))

  await startOwner(dataDir)
  expect((await stat(`${clusterOf(dataDir)}.log.1`)).size).toBe(6 * 1024 * 1024)
  expect((await stat(`${clusterOf(dataDir)}.log`)).size).toBeLessThan(10_000)
})

test('an interrupted initdb is repeated', async () => {
  const dataDir = await makeDataDir()
  const owner = await startOwner(dataDir)
  await end(owner.child, 'SIGTERM')
  const draft = `${clusterOf(dataDir)}.new-0`
  await rename(clusterOf(dataDir), draft)
  await rm(path.join(draft, 'PG_VERSION'))

  expect((await startOwner(dataDir)).status).toMatchObject({ up: true, adopted: false })
  expect((await readdir(dataDir)).sort()).toEqual(['control', 'postgres', 'postgres.log'])
})

const LISTENERS = 8

/** Ways to break connections while many calls are in flight. */
const DATABASE_FAULTS = {
  'a backend is ended by the operator': async ({ db }: FaultContext) =>
    void (await db`select pg_terminate_backend(${await someBackend(db)})`),
  'the proxy between resets all connections': async ({ line }: FaultContext) => line.reset(),
  'the proxy resets a new connection in its first statement': async ({ line, db }: FaultContext) => {
    line.resetNextAtFirstStatement()
    await db`select pg_terminate_backend(${await someBackend(db)})`
  },
  // PostgreSQL then ends all other backends too, and recovers.
  'kill -9 of one backend': async ({ db }: FaultContext) => {
    const before = await ownBackend(db)
    process.kill(await someBackend(db), 'SIGKILL')
    await until(async () => (await ownBackend(db)) !== before)
  },
}
const REPEAT_COUNT = 3

test('the server survives broken connections under load, and recovers', async () => {
  const { db, line, server, listeners, microgenreId } = await setUp()
  const load = startMixedLoad(listeners, microgenreId)
  await load.answered()
  for (let time = 0; time < REPEAT_COUNT; time++) {
    for (const [name, causeFault] of Object.entries(DATABASE_FAULTS)) {
      await causeFault({ db, line })
      // At a different point of the load each time.
      await wait(time * 7)
      await causeFault({ db, line })
      await load.answered()
      expect(server.exitCode, name).toBeNull()
      expect(server.signalCode, name).toBeNull()
    }
  }
  await load.end()

  expect(load.refused()).toBeGreaterThan(0)
  await expectRecount(db)
})

interface FaultContext {
  db: Database
  line: DatabaseProxy
}

const ownBackend = async (db: Database) =>
  (await db<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid

/** A backend of the server, not of this test. */
async function someBackend(db: Database): Promise<number> {
  for (;;) {
    const [backend] = await db<{ pid: number }[]>`
      select pid from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() and client_port is not null
      order by state = 'active' desc, random() limit 1`
    if (backend) return backend.pid
  }
}

async function setUp() {
  const embedded = await startEmbedded({ dataDir: await makeDataDir(), log: () => {}, noSync: true })
  onTestFinished(() => embedded.stop())
  await migrateDatabase(embedded.connection)
  const db = connect(embedded.connection, { max: 1 })
  onTestFinished(() => db.end({ timeout: 1 }))
  const line = await startDatabaseProxy(embedded.connection)
  onTestFinished(() => line.close())
  const server = runTypeScript('serverProgram.ts', [line.target])
  const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream })
  const [url] = (await once(lines, 'line')) as [string]
  const { id: microgenreId } = await makeMicrogenre(db, 3000)
  const people = await db<{ id: string }[]>`
    with made as (
      insert into users (email, is_public)
      select n || '@example.test', true from generate_series(1, ${LISTENERS}::int) n returning id
    )
    insert into listener_stats (user_id) select id from made returning user_id as id`
  const listeners = await Promise.all(
    people.map(async ({ id }) => {
      const session = (await createSession(db, id, null)) ?? ''
      return { ...visitorAt(url, new Map([['session', session]])), id }
    }),
  )
  return { db, line, server, listeners, microgenreId }
}
