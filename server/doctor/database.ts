import { readLastBackup } from '../db/backup/lastBackup.ts'
import type { Database } from '../db/connection.ts'
import { openForProgram } from '../db/openForProgram.ts'
import type { Env } from '../env.ts'
import { type Finding, reasonOf, wordsFor } from './finding.ts'

/** The database, its clock, and its backups. */
export async function checkDatabase(env: Env): Promise<Finding[]> {
  const part = 'Database'
  const where = env.DATABASE_URL ? new URL(env.DATABASE_URL).host : `the embedded one in ${env.DATA_DIR}`
  try {
    const { db, address, close } = await openForProgram(env)
    try {
      const [row] = await db<{ version: string }[]>`select current_setting('server_version') as version`
      const shared = address ? `, shared with the running server at ${address}` : ''
      const message = `PostgreSQL ${row?.version.split(' ')[0]}, ${where}${shared}`
      return [{ part, state: 'ok', message }, await checkClock(db), await checkBackup(env, db)]
    } finally {
      await close()
    }
  } catch (error) {
    const fault = { part, state: 'fault' as const, message: `${where} does not answer (${reasonOf(error)})` }
    return [fault, await checkBackup(env, null)]
  }
}

/** Milliseconds by which the clocks may differ: expiry and limits are the database's, sign-in tokens the server's. */
const CLOCK_MAY_DIFFER = 2000

export async function checkClock(db: Database): Promise<Finding> {
  const part = 'Clock'
  const sent = Date.now()
  const [row] = await db<{ now: Date }[]>`select now()`
  const received = Date.now()
  // The database read its clock somewhere in between.
  const apart = Math.abs((row?.now.getTime() ?? 0) - (sent + received) / 2) - (received - sent) / 2
  if (apart < CLOCK_MAY_DIFFER)
    return { part, state: 'ok', message: "this machine's and the database's agree" }
  return {
    part,
    state: 'warning',
    message: `this machine's and the database's are ${Math.round(apart / 1000)} seconds apart: set both by NTP`,
  }
}

/** Two nights. */
const BACKUP_MAY_BE_OLD = 50 * 3_600_000

/** @param db null when the database does not answer. */
export async function checkBackup(env: Env, db: Database | null): Promise<Finding> {
  const part = 'Backup'
  const archive = db && env.DATABASE_URL ? await readArchive(db) : null
  if (archive) return { part, ...archive }
  const last = await readLastBackup(env.DATA_DIR)
  const state = env.production ? 'warning' : 'off'
  const advice = 'run npm run backup -- FILE every night'
  if (!last) {
    const others = env.DATABASE_URL ? ', unless your database is backed up in another way' : ''
    return { part, state, message: `npm run backup has not been used with this DATA_DIR: ${advice}${others}` }
  }
  const age = Date.now() - last.takenAt.getTime()
  const message = `${wordsFor(age)} old, ${(last.bytes / 1024 ** 2).toFixed(1)} MiB, in ${last.file}`
  if (age < BACKUP_MAY_BE_OLD) return { part, state: 'ok', message }
  return { part, state, message: `${message}: ${advice}` }
}

/** What PostgreSQL says of its own archive of the log; null when it has none. */
async function readArchive(db: Database): Promise<Pick<Finding, 'state' | 'message'> | null> {
  const [row] = await db<{ mode: string; archivedAt: Date | null; failedAt: Date | null }[]>`
    select current_setting('archive_mode') as mode, last_archived_time as archived_at, last_failed_time as failed_at
    from pg_stat_archiver`
  if (!row || row.mode === 'off') return null
  const { archivedAt, failedAt } = row
  if (failedAt && (!archivedAt || failedAt > archivedAt)) {
    const message =
      'PostgreSQL cannot archive its log (archive_command fails): read its server log, before its disk is full'
    return { state: 'warning', message }
  }
  if (!archivedAt) return null
  const age = wordsFor(Date.now() - archivedAt.getTime())
  return { state: 'ok', message: `PostgreSQL archives its log, last ${age} ago` }
}
