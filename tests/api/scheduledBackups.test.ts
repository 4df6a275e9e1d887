import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { backUp, isBackupDue, logFolderFault } from '../../server/backups/backUp.ts'
import { proveBackup } from '../../server/backups/proveBackup.ts'
import { writeBackup } from '../../server/backups/writeBackup.ts'
import type { ConnectionTarget, Database } from '../../server/db/connection.ts'
import { readEnv } from '../../server/env.ts'
import { createLog } from '../../server/process/log.ts'
import { makeMicrogenre, rateOn } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { withEmptyDatabase } from '../harness/setUpDatabase.ts'
import { startProgram } from '../harness/startProgram.ts'
import { withConnection } from '../harness/testCluster.ts'

/* Scheduled backups of the server. */

const app = setUpApp()
let root = ''
/** BACKUP_DIR and DATA_DIR. */
let folder = ''
let dataDir = ''

beforeAll(async () => {
  await rateOn(await app.signIn(), (await makeMicrogenre(app.db, 20)).id)
})
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'bob-scheduled-'))
  folder = path.join(root, 'backup')
  dataDir = path.join(root, 'data')
  await mkdir(folder)
  await mkdir(dataDir)
})
afterEach(async () => {
  await rm(root, { recursive: true })
  await app.db`delete from backups`
})

test('a backup is written, restored to prove it, and not due again before the next day', async () => {
  expect(await isBackupDue(app.db, 24)).toBe(true)
  const result = await runBackup()
  const [ratings] = await app.db<{ count: number }[]>`select count(*)::int as count from ratings`

  expect(result).toMatchObject({ trouble: null, rows: { ratings: ratings?.count, users: 1 } })
  expect(await readdir(folder)).toEqual([path.basename(result?.file ?? '')])
  expect((await stat(result?.file ?? '')).size).toBe(result?.bytes)
  expect(await readdir(dataDir)).toEqual([])
  expect(await listBackups()).toEqual([{ scheduled: true, isWritten: true, isProven: true, trouble: null }])
  expect(await isBackupDue(app.db, 24)).toBe(false)
  expect(await runBackup({ whenDue: true })).toBeNull()
})

test('it is due at fixed hours from 2 a.m., and an hour after a failure', async () => {
  const { db } = app
  const dueAfter = async (ago: string, everyHours: number, bytes: number | null = 1) => {
    await db`delete from backups`
    await db`
      insert into backups (scheduled, machine, file, started_at, bytes)
      values (true, 'here', '/backup/a', ${ago}::timestamptz, ${bytes})`
    return isBackupDue(db, everyHours)
  }
  const [{ night, hour } = { night: '', hour: '' }] = await db<{ night: string; hour: string }[]>`
    select coalesce(((date_trunc('day', (now() - interval '2 hours') at time zone 'UTC') + interval '2 hours')
        at time zone 'UTC')::text, '') as night,
      coalesce(date_trunc('hour', now())::text, '') as hour`
  const [{ before } = { before: '' }] = await db<{ before: string }[]>`
    select coalesce((${night}::timestamptz - interval '1 second')::text, '') as before`
  expect(await dueAfter(before, 24)).toBe(true)
  expect(await dueAfter(night, 24)).toBe(false)
  expect(await dueAfter(hour, 1)).toBe(false)
  const ago = async (minutes: number) =>
    (
      await db<{ at: string }[]>`select coalesce((now() - ${minutes} * interval '1 minute')::text, '') as at`
    )[0]?.at ?? ''
  expect(await dueAfter(await ago(61), 1)).toBe(true)
  expect(await dueAfter(await ago(59), 24, null)).toBe(false)
  expect(await dueAfter(await ago(61), 24, null)).toBe(true)
  // The clock was wrong.
  expect(await dueAfter(await ago(-60 * 24 * 20), 24)).toBe(true)
  // A manual backup does not replace a scheduled one.
  await db`update backups set scheduled = false, started_at = now()`
  expect(await isBackupDue(db, 24)).toBe(true)
})

test('without room for a second PostgreSQL, a second database of the server proves it', async () => {
  const others = await databases()
  const result = await runBackup({
    readDisk: async (place) => (place === dataDir ? FULL_DISK : statfs(place)),
  })

  expect(result).toMatchObject({ trouble: null })
  expect(await databases()).toEqual(others)
})

test('a backup that cannot be proven stays, with the reason', async () => {
  // The address of an embedded database is no URL, and there is nothing beside it.
  const target = typeof app.target === 'string' ? 'postgres://127.0.0.1:9/nowhere' : app.target
  const result = await runBackup({
    target,
    readDisk: async (place) => (place === dataDir ? FULL_DISK : statfs(place)),
  })

  expect(result?.trouble).toMatch(/has 1 MiB free\. There, restoring a backup needs about [\d,]+ MiB/)
  expect(existsSync(result?.file ?? '')).toBe(true)
  expect(await listBackups()).toMatchObject([{ isWritten: true, isProven: false, trouble: result?.trouble }])
})

test('totals that differ from the ratings are found', async () => {
  await app.db`update listener_stats set total_ratings = total_ratings + 1`
  const { trouble, file = '' } = (await runBackup({ readDisk: almostFull })) ?? {}
  await app.db`update listener_stats set total_ratings = total_ratings - 1`
  // The next one has the same name if it begins within the same second.
  await rm(file)
  expect(trouble).toBe(
    'Restoring it failed: The totals of 1 listeners are wrong. Correct them: npm run database -- recount',
  )

  await app.db`update community_totals set active_users = active_users + 1`
  const { trouble: second } = (await runBackup({ readDisk: almostFull })) ?? {}
  await app.db`update community_totals set active_users = active_users - 1`
  expect(second).toMatch(/The totals of 1 communities are wrong/)
})

test('rows that were written and are not there are found', async () => {
  const file = path.join(folder, 'by-hand.backup')
  const written = await writeBackup(app.db, file)
  await withEmptyDatabase(async (target) => {
    const more = { ...written, ratings: (written.ratings ?? 0) + 1 }
    await expect(proveBackup(file, more, target)).rejects.toThrow(/^ratings has 20 rows instead of 21\.$/)
  })
})

test.each([
  [
    'the disk is full',
    async () => {},
    async () => FULL_DISK,
    /backup has 1 MiB free\. There, a backup needs about/,
  ],
  [
    'the folder is not there',
    () => rm(folder, { recursive: true }),
    statfs,
    /is not a folder\. Create it, or/,
  ],
])('when %s, nothing is written and the reason is known', async (_, spoil, readDisk, reason) => {
  await spoil()

  await expect(runBackup({ readDisk })).rejects.toThrow(reason)
  expect(await readdir(folder).catch(() => [])).toEqual([])
  expect(await listBackups()).toEqual([
    { scheduled: true, isWritten: false, isProven: false, trouble: expect.stringMatching(reason) },
  ])
  expect(await isBackupDue(app.db, 24)).toBe(false)
})

test('a folder that is not there is logged at the start', async () => {
  await rm(folder, { recursive: true })
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const env = readEnv({ NODE_ENV: 'test', DATA_DIR: dataDir, BACKUP_DIR: folder })
  await logFolderFault(env, log)

  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 50,
      err: `BACKUP_DIR ${folder} is not a folder. Create it, or mount its disk.`,
      msg: 'the next backup will fail',
    }),
  ])
})

test('the newest backups, the newest proven one and all manual ones are kept', async () => {
  const [oldest, proven, older] = ['20', '21', '22'].map((day) =>
    path.join(folder, `banger-or-bust-scheduled-2026-01-${day}T02-00-00.backup`),
  ) as [string, string, string]
  const byHand = path.join(folder, 'banger-or-bust-2026-01-19T02-00-00.backup')
  const draft = `${older}.4711.part`
  for (const file of [oldest, proven, older, byHand, draft]) await writeFile(file, '')
  await app.db`
    insert into backups (scheduled, machine, file, started_at, bytes, proven_at)
    values (true, 'here', ${proven}, '2026-01-21', 1, '2026-01-21')`
  const target = typeof app.target === 'string' ? 'postgres://127.0.0.1:9/nowhere' : app.target
  const result = await runBackup({ target, keep: '1', readDisk: almostFull })

  expect(result?.trouble).not.toBeNull()
  expect((await readdir(folder)).sort()).toEqual(
    [byHand, proven, result?.file ?? ''].map((file) => path.basename(file)).sort(),
  )
})

test('of two processes that begin at once, one backs up', async () => {
  const result = await Promise.all([runBackup({ whenDue: true }), runBackup({ whenDue: true })])

  expect(result.filter((one) => one !== null)).toMatchObject([
    { trouble: null, rows: { users: 1, ratings: 20 } },
  ])
  expect(await readdir(folder)).toHaveLength(1)
})

test('a stop leaves the folders as they were, and no database', async () => {
  const { child, programEnd } = startProgram('backup', ['--when-due'], {
    folder: root,
    env: { DATABASE_URL: urlOf(app.target), BACKUP_DIR: folder, DATA_DIR: dataDir },
  })
  while (!existsSync(path.join(dataDir, 'proof', 'postgres')) && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 5))
  child.kill('SIGTERM')
  const { code } = await programEnd

  expect(code).not.toBe(0)
  expect(await readdir(dataDir)).toEqual([])
  // It was written before the stop, but is not proven.
  expect(await listBackups()).toMatchObject([{ isWritten: true, isProven: false }])
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
})

const FULL_DISK = { bavail: 1, blocks: 100 * 1024, bsize: 1024 ** 2 }

/** No room for the second PostgreSQL. */
const almostFull: typeof statfs = (async (place: string) =>
  place === dataDir ? FULL_DISK : statfs(place)) as typeof statfs

interface Changes {
  whenDue?: boolean
  readDisk?: (place: string) => Promise<{ bavail: number; blocks: number; bsize: number }>
  target?: ConnectionTarget
  keep?: string
}

async function runBackup({ target = urlOf(app.target), keep = '14', ...options }: Changes = {}) {
  const env = readEnv({ NODE_ENV: 'test', DATA_DIR: dataDir, BACKUP_DIR: folder, BACKUP_KEEP: keep })
  return withConnection(app.target, (db) => backUp(env, { db, target }, options))
}

function listBackups() {
  return app.db`
    select scheduled, bytes is not null as is_written, proven_at is not null as is_proven, trouble
    from backups order by run`
}

async function databases(db: Database = app.db) {
  return (await db`select datname from pg_database where datname like 'banger_or_bust_proof_%'`).length
}

/** In the form of DATABASE_URL. */
function urlOf(target: ConnectionTarget): string {
  if (typeof target === 'string') return target
  const { host, port, database, username } = target
  return `postgres://${username}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
