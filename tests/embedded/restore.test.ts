import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isBackupDue } from '../../server/backups/backUp.ts'
import { restoreDatabase } from '../../server/backups/restoreDatabase.ts'
import { writeBackup } from '../../server/backups/writeBackup.ts'
import { connect } from '../../server/db/connection.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { readEnv } from '../../server/env.ts'
import { end, makeDataDir, query, type StartedOwner, startOwner } from './owners.ts'

test('a backup is restored into an empty folder, and never replaces data', async () => {
  const dataDir = await makeDataDir()
  const first = await startOwner(dataDir)
  const file = path.join(path.dirname(dataDir), 'one.backup')
  await backUp(first, file)
  expect(await query(first, (sql) => isBackupDue(sql, 24))).toBe(false)
  const env = (folder: string) => readEnv({ DATA_DIR: folder, NODE_ENV: 'test' })

  // Neither beside a running server nor over existing data.
  await expect(restoreDatabase(file, env(dataDir))).rejects.toThrow(/already running/)
  await end(first.child, 'SIGTERM')
  await expect(restoreDatabase(file, env(dataDir))).rejects.toThrow(/restore never replaces data/)

  const other = await makeDataDir()
  const { rows, takenAt } = await restoreDatabase(file, env(other))
  expect(rows.users).toBe(1)
  expect(Date.now() - Date.parse(takenAt)).toBeLessThan(60_000)
  expect((await readdir(other)).sort()).toEqual(['control', 'postgres'])

  const second = await startOwner(other)
  expect(second.status).toMatchObject({ up: true, adopted: false })
  expect(await emailsOf(second)).toEqual([['kept@example.test']])
  // It has no record of the first server's backups, so it writes one at once.
  expect(await query(second, (sql) => sql`select file from backups`.values())).toEqual([])
  expect(await query(second, (sql) => isBackupDue(sql, 24))).toBe(true)
})

test('a failed restore leaves nothing, and can be retried', async () => {
  const dataDir = await makeDataDir()
  const env = readEnv({ DATA_DIR: dataDir, NODE_ENV: 'test' })

  const missing = path.join(dataDir, 'nowhere.backup')
  await expect(restoreDatabase(missing, env)).rejects.toThrow(`There is no file ${missing}.`)
  const folder = import.meta.dirname
  await expect(restoreDatabase(folder, env)).rejects.toThrow(`${folder} is a folder. Name the backup in it.`)
  await expect(restoreDatabase(import.meta.filename, env)).rejects.toThrow(/not a backup of Banger or Bust/)
  expect(await readdir(dataDir).catch(() => [])).toEqual([])
})

async function backUp(owner: StartedOwner, file: string): Promise<void> {
  const target = owner.status.connection ?? ''
  await migrateDatabase(target)
  const db = connect(target, { max: 1 })
  try {
    await db`insert into users (email) values ('kept@example.test')`
    await db`insert into backups (scheduled, machine, file, bytes) values (true, 'here', '/backup/a', 1)`
    await writeBackup(db, file)
  } finally {
    await db.end({ timeout: 5 })
  }
}

const emailsOf = (owner: StartedOwner) => query(owner, (sql) => sql`select email from users`.values())
