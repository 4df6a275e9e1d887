import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readPidFile, requireEmbeddedConnection } from '../../server/db/embedded/connection.ts'
import { findProcesses } from '../../server/db/embedded/processes.ts'
import {
  clusterOf,
  end,
  killDatabase,
  makeDataDir,
  query,
  readNotes,
  startOwner,
  writeNote,
} from './owners.ts'

test('the first start creates a durable database without TCP', async () => {
  const owner = await startOwner(await makeDataDir())

  expect(owner.status).toMatchObject({ up: true, adopted: false })
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
  expect(second.status).toMatchObject({ up: true, adopted: false })
  expect(await readNotes(second)).toEqual([['kept']])
})

test('after kill -9 of the server the database runs on, and the next start adopts it', async () => {
  const dataDir = await makeDataDir()
  const first = await startOwner(dataDir)
  await writeNote(first)
  const before = await readPidFile(clusterOf(dataDir))
  await end(first.child, 'SIGKILL')

  const second = await startOwner(dataDir)
  expect(second.status).toMatchObject({ up: true, adopted: true, connection: first.status.connection })
  expect(await readPidFile(clusterOf(dataDir))).toEqual(before)
  expect(await readNotes(second)).toEqual([['kept']])
  expect(await requireEmbeddedConnection(dataDir)).toEqual(second.status.connection)
})

test('a database of another major version is rejected and not changed', async () => {
  const dataDir = await makeDataDir()
  await end((await startOwner(dataDir)).child, 'SIGTERM')
  await writeFile(path.join(clusterOf(dataDir), 'PG_VERSION'), '15\n')

  const { status } = await startOwner(dataDir)
  expect(status.error).toMatch(/PostgreSQL 15, but the built-in PostgreSQL is 18.*DATABASE_URL/)
  expect(await readPidFile(clusterOf(dataDir))).toBeNull()
})

test('without a running database, asking for its address is an error', async () => {
  await expect(requireEmbeddedConnection(await makeDataDir())).rejects.toThrow('No database runs in')
})

test('a start on a full disk says so and leaves nothing running, and the next one works', async () => {
  const disk = path.dirname(await makeDataDir())
  // Only root can mount a small disk. On this one initdb has room, or hardly.
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', disk]).status !== 0) return
  try {
    const dataDir = path.join(disk, 'data')
    const full = await startOwner(dataDir)
    expect(full.status.error).toMatch(/^The disk of DATA_DIR .* is full\. Make room on it and start again/)
    expect(await findProcesses(clusterOf(dataDir))).toEqual([])

    spawnSync('mount', ['-o', 'remount,size=200m', disk])
    const roomy = await startOwner(dataDir)
    expect(roomy.status).toMatchObject({ up: true })
    await writeFile(path.join(disk, 'filler'), Buffer.alloc(200_000_000)).catch(() => {})
    await end(roomy.child, 'SIGTERM')
    expect((await startOwner(dataDir)).status.error).toMatch(/is full/)
  } finally {
    await killDatabase(path.join(disk, 'data'))
    spawnSync('umount', ['-l', disk])
  }
})
