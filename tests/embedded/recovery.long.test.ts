import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readPidFile } from '../../server/db/embedded/pidFile.ts'
import {
  clusterOf,
  end,
  killDatabase,
  makeDataDir,
  query,
  readNotes,
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
