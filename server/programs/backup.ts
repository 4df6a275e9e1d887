import { stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Backup, backUp } from '../backups/backUp.ts'
import { recordManualBackup } from '../backups/readLastBackup.ts'
import { writeBackup } from '../backups/writeBackup.ts'
import type { Database } from '../db/connection.ts'
import { print } from '../process/log.ts'
import { fail, runCommand, showUsage } from './runCommand.ts'

/**
 * `npm run backup`: writes a backup to BACKUP_DIR and proves it, as the server does by itself; with `--when-due` only if
 * it is time. `npm run backup -- FILE | FOLDER`: writes one there. Whether the server runs or not.
 */
const [argument = '', ...more] = process.argv.slice(2)
const isScheduled = argument === '' || argument === '--when-due'
const isUnknown = more.length > 0 || (argument.startsWith('-') && !isScheduled)

if (isUnknown || (isScheduled && !process.env.BACKUP_DIR)) {
  showUsage(
    'Usage: npm run backup -- FILE\nFILE must not exist yet. If it is a folder, the backup is named after the current time. Without FILE, set BACKUP_DIR.',
  )
} else {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  await runCommand(process.env, async (env, database) => {
    // Ratings go first. The scratch database inherits it.
    os.setPriority(10)
    if (!isScheduled) return writeOne(database.db, path.resolve(process.env.INIT_CWD ?? '.', argument))
    const backup = await backUp(env, database, { whenDue: argument !== '', signal: controller.signal })
    if (backup) report(backup)
    else if (argument === '') print('Another process is backing up.')
  })
}

function report({ file, rows, bytes, trouble }: Backup): void {
  print(`${formatBackup(file, rows, bytes)}${trouble === null ? ' It was restored to prove it.' : ''}`)
  if (trouble !== null) fail(`${file} was not proven. ${trouble}`)
}

async function writeOne(db: Database, place: string): Promise<void> {
  const file = await chooseFile(place)
  const startedAt = new Date()
  const rows = await writeBackup(db, file)
  const { size: bytes } = await stat(file)
  print(`${formatBackup(file, rows, bytes)} Keep it as private as the database.`)
  // The backup is good without it: of a replica, for example, or of a database before an upgrade.
  await recordManualBackup(db, { startedAt, file, bytes }).catch((error: Error) => {
    console.error(`npm run doctor will not know of it: ${error.message}`)
  })
}

function formatBackup(file: string, rows: Backup['rows'], bytes: number): string {
  return `Wrote ${(rows.users ?? 0).toLocaleString('en')} listeners and ${(rows.ratings ?? 0).toLocaleString('en')} ratings to ${file} (${(bytes / 1024 ** 2).toFixed(1)} MiB).`
}

async function chooseFile(place: string): Promise<string> {
  const found = await stat(place).catch(() => null)
  if (!found?.isDirectory()) return place
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  return path.join(place, `banger-or-bust-${time}.backup`)
}
