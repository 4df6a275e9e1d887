import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import type { Logger } from 'pino'
import { tryLock, unlock } from '../db/advisoryLocks.ts'
import type { Database } from '../db/connection.ts'
import type { ProgramDatabase } from '../db/openForProgram.ts'
import type { Env } from '../env.ts'
import { runProgram } from '../process/runProgram.ts'
import { findFolderFault, type ReadDisk, requireDiskSpace } from './backupFolder.ts'
import { CannotProve, proveBackup, withScratchDatabase } from './proveBackup.ts'
import { writeBackup } from './writeBackup.ts'

/** Seconds after midnight UTC: an hour before tastes are learned. */
const DAILY_BACKUP_SECOND = 2 * 3600

/** Backups by hand have other names and are never deleted. */
const SCHEDULED_FILE = /^banger-or-bust-scheduled-[\dTZ-]+\.backup$/
const SCHEDULED_DRAFT = /^banger-or-bust-scheduled-.*\.part$/

export interface Backup {
  file: string
  bytes: number
  /** Of each table. */
  rows: Record<string, number>
  /** Why it was not proven; null when it was. */
  trouble: string | null
}

interface Options {
  /** Does nothing unless a backup is due. */
  whenDue?: boolean
  signal?: AbortSignal
  readDisk?: ReadDisk
}

/**
 * Writes a backup to BACKUP_DIR, restores it into a scratch database to prove it, and deletes old ones. Null when another
 * process is backing up, or no backup is due. `db` is a pool of one connection, whose session holds the lock.
 * @throws Error for the operator when no backup could be written. The table `backups` stores its message.
 */
export async function backUp(
  env: Env,
  { db, target }: Pick<ProgramDatabase, 'db' | 'target'>,
  { whenDue = false, signal = new AbortController().signal, readDisk = statfs }: Options = {},
): Promise<Backup | null> {
  if (!(await tryLock(db, 'backup'))) return null
  // Closing the connection aborts the backup, which then deletes its draft.
  const interrupt = () => void db.end({ timeout: 0 })
  signal.addEventListener('abort', interrupt)
  try {
    if (whenDue && !(await isBackupDue(db, env.BACKUP_EVERY))) return null
    const folder = path.resolve(env.BACKUP_DIR ?? '.')
    const file = path.join(folder, nameAt(new Date()))
    const run = await insertRun(db, file)
    const written = await write(db, run, file, readDisk)
    const trouble = await prove(written, env, target, { signal, readDisk, size: await sizeOf(db) })
    await db`
      update backups set ended_at = now(), proven_at = case when ${trouble === null} then now() end,
        trouble = ${trouble}
      where run = ${run}`
    await deleteOld(db, folder, env.BACKUP_KEEP)
    return { ...written, trouble }
  } finally {
    signal.removeEventListener('abort', interrupt)
    // The lock ended with the connection.
    if (!signal.aborted) await unlock(db).catch(() => {})
  }
}

/**
 * Whether a backup is due: at two o'clock UTC, and every `everyHours` from then on. One that failed or was interrupted is
 * repeated after an hour.
 */
export async function isBackupDue(db: Database, everyHours: number): Promise<boolean> {
  const seconds = everyHours * 3600
  const [row] = await db<{ due: boolean }[]>`
    select not exists (
      select from backups where scheduled and started_at <= now() and case
        when bytes is null then started_at > now() - interval '1 hour'
        else extract(epoch from started_at) >= ${DAILY_BACKUP_SECOND}::int
          + floor((extract(epoch from now()) - ${DAILY_BACKUP_SECOND}::int) / ${seconds}::int) * ${seconds}::int
      end
    ) as due`
  return row?.due === true
}

const nameAt = (time: Date) =>
  `banger-or-bust-scheduled-${time.toISOString().slice(0, 19).replaceAll(':', '-')}.backup`

async function insertRun(db: Database, file: string): Promise<number> {
  await db`
    delete from backups where started_at < now() - interval '90 days'
      and run < (select max(run) from backups where proven_at is not null)`
  const [row] = await db<{ run: number }[]>`
    insert into backups (scheduled, machine, file) values (true, ${hostname()}, ${file}) returning run`
  if (!row) throw new Error('An insert gave no row.')
  return row.run
}

async function write(
  db: Database,
  run: number,
  file: string,
  readDisk: ReadDisk,
): Promise<Omit<Backup, 'trouble'>> {
  try {
    const folder = path.dirname(file)
    const fault = await findFolderFault(folder)
    if (fault) throw new Error(fault)
    await deleteDrafts(folder)
    await requireDiskSpace(folder, await expectedBytes(db), 'a backup', readDisk)
    const rows = await writeBackup(db, file)
    const { size: bytes } = await stat(file)
    await db`update backups set bytes = ${bytes} where run = ${run}`
    return { file, bytes, rows }
  } catch (error) {
    // This fails, too, if the database was the reason.
    await db`update backups set ended_at = now(), trouble = ${messageOf(error)} where run = ${run}`.catch(
      () => {},
    )
    throw error
  }
}

/** Deletes drafts of backups that were killed. Nobody is writing one, because this process holds the lock. */
async function deleteDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (SCHEDULED_DRAFT.test(name)) await rm(path.join(folder, name))
}

/** Twice the size of the last backup, or a quarter of the database: a backup is compressed and has no indexes. */
async function expectedBytes(db: Database): Promise<number> {
  const [last] = await db<{ bytes: number }[]>`
    select bytes::float8 as bytes from backups where bytes is not null order by run desc limit 1`
  return last ? 2 * last.bytes : (await sizeOf(db)) / 4
}

async function sizeOf(db: Database): Promise<number> {
  const [row] = await db<{ bytes: number }[]>`
    select coalesce(pg_database_size(current_database())::float8, 0) as bytes`
  return row?.bytes ?? 0
}

/** Returns the reason when the backup is not proven. The file stays, because most reasons lie elsewhere. */
async function prove(
  { file, rows }: Omit<Backup, 'trouble'>,
  env: Env,
  target: ProgramDatabase['target'],
  options: { signal: AbortSignal; readDisk: ReadDisk; size: number },
): Promise<string | null> {
  try {
    await withScratchDatabase(env, target, options, (scratch) => proveBackup(file, rows, scratch))
    return null
  } catch (error) {
    options.signal.throwIfAborted()
    return error instanceof CannotProve ? error.message : `Restoring it failed: ${messageOf(error)}`
  }
}

/** Deletes all but the newest files and the newest proven one. */
async function deleteOld(db: Database, folder: string, count: number): Promise<void> {
  const [proven] = await db<{ file: string }[]>`
    select file from backups where proven_at is not null and scheduled order by run desc limit 1`
  const files = (await readdir(folder)).filter((name) => SCHEDULED_FILE.test(name)).sort()
  for (const name of files.slice(0, -count)) {
    const file = path.join(folder, name)
    if (file !== proven?.file) await rm(file, { force: true })
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Takes a backup in a process of its own, so that no call waits. @throws Error when it failed, or was not proven. */
export async function backUpWhenDue(db: Database, { BACKUP_EVERY }: Env, log: Logger, signal: AbortSignal) {
  if (!(await isBackupDue(db, BACKUP_EVERY))) return 'not due'
  const { code, output, errors } = await runProgram('backup', ['--when-due'], signal)
  signal.throwIfAborted()
  if (output) log.info(output)
  if (code !== 0) throw new Error(errors)
  return 'done'
}

/** Logs that BACKUP_DIR cannot be used, which the next backup would be the first to tell. */
export async function logFolderFault({ BACKUP_DIR }: Env, log: Logger): Promise<void> {
  const fault = BACKUP_DIR ? await findFolderFault(BACKUP_DIR) : null
  if (fault) log.error({ err: fault }, 'the next backup will fail')
}
