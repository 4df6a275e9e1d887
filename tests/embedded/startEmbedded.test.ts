import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { embeddedConnection } from '../../server/db/embedded/embeddedConnection.ts'
import { readPidFile } from '../../server/db/embedded/pidFile.ts'
import { findProcesses } from '../../server/db/embedded/processes.ts'
import { end, killDatabase, makeDataDir, query, type Started, startOwner, until } from './owners.ts'

const writeNote = (owner: Started) =>
  query(owner, async (sql) => {
    await sql`create table note (text text not null)`
    await sql`insert into note values ('kept')`
  })
const readNotes = (owner: Started) => query(owner, (sql) => sql`select text from note`.values())
const clusterOf = (dataDir: string) => path.join(dataDir, 'postgres')

test('the first start creates a durable database without TCP', async () => {
  const owner = await startOwner(await makeDataDir())

  expect(owner.said).toMatchObject({ up: true, adopted: false })
  const settings = await query(
    owner,
    (sql) => sql`
      select current_database() as database, current_user as role,
        current_setting('server_version_num')::int / 10000 as major, current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as tcp,
        current_setting('server_encoding') as encoding, current_setting('timezone') as timezone,
        current_setting('max_connections') as connections`,
  )
  expect([...settings]).toEqual([
    {
      database: 'banger',
      role: 'banger',
      major: 18,
      fsync: 'on',
      commit: 'on',
      tcp: process.platform === 'win32' ? '127.0.0.1' : '',
      encoding: 'UTF8',
      timezone: 'UTC',
      connections: '100',
    },
  ])
})

test('SIGTERM stops the database cleanly, and the second start finds the data', async () => {
  const dataDir = await makeDataDir()
  const first = await startOwner(dataDir)
  await writeNote(first)

  expect(await end(first.child, 'SIGTERM')).toBe(0)
  expect(await findProcesses(clusterOf(dataDir))).toEqual([])
  expect(await readPidFile(clusterOf(dataDir))).toBeNull()

  const second = await startOwner(dataDir)
  expect(second.said).toMatchObject({ up: true, adopted: false })
  expect(await readNotes(second)).toEqual([['kept']])
})

test('after kill -9 of the server the database runs on, and the next start adopts it', async () => {
  const dataDir = await makeDataDir()
  const first = await startOwner(dataDir)
  await writeNote(first)
  const before = await readPidFile(clusterOf(dataDir))
  await end(first.child, 'SIGKILL')

  const second = await startOwner(dataDir)
  expect(second.said).toMatchObject({ up: true, adopted: true, connection: first.said.connection })
  expect(await readPidFile(clusterOf(dataDir))).toEqual(before)
  expect(await readNotes(second)).toEqual([['kept']])
  expect(await embeddedConnection(dataDir)).toEqual(second.said.connection)
})

test('after kill -9 of everything the next start recovers what was committed', async () => {
  const dataDir = await makeDataDir()
  const first = await startOwner(dataDir)
  await writeNote(first)
  await end(first.child, 'SIGKILL')
  await killDatabase(dataDir)

  const second = await startOwner(dataDir)
  expect(second.said).toMatchObject({ up: true, adopted: false })
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
  await until(async () => owner.logged.includes('the database was restarted'))
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
  expect(second.said).toMatchObject({ up: true, adopted: false })
  expect(await readNotes(second)).toEqual([['kept']])
})

test.skipIf(process.platform === 'win32')(
  'a running database whose socket was deleted is restarted',
  async () => {
    const dataDir = await makeDataDir()
    const first = await startOwner(dataDir)
    await writeNote(first)
    await end(first.child, 'SIGKILL')
    await rm(path.join(first.said.connection?.host ?? '', '.s.PGSQL.5432'))

    const second = await startOwner(dataDir)
    expect(second.said).toMatchObject({ up: true, adopted: false })
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

  expect((await startOwner(dataDir)).said).toMatchObject({ up: true, adopted: false })
  expect((await readdir(dataDir)).sort()).toEqual(['control', 'postgres', 'postgres.log'])
})

test('a database of another major version is rejected and not changed', async () => {
  const dataDir = await makeDataDir()
  await end((await startOwner(dataDir)).child, 'SIGTERM')
  await writeFile(path.join(clusterOf(dataDir), 'PG_VERSION'), '15\n')

  const { said } = await startOwner(dataDir)
  expect(said.error).toMatch(/PostgreSQL 15, but the built-in PostgreSQL is 18.*DATABASE_URL/)
  expect(await readPidFile(clusterOf(dataDir))).toBeNull()
})

test('without a running database, asking for its address is an error', async () => {
  await expect(embeddedConnection(await makeDataDir())).rejects.toThrow('No database runs in')
})
