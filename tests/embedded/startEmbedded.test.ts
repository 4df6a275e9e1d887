import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { embeddedConnection } from '../../server/db/embedded/embeddedConnection.ts'
import { readPidFile } from '../../server/db/embedded/pidFile.ts'
import { findProcesses } from '../../server/db/embedded/processes.ts'
import { clusterOf, end, makeDataDir, query, readNotes, startOwner, writeNote } from './owners.ts'

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
