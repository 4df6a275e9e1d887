import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { findFolderFault } from '../backups/backupFolder.ts'
import { type LastBackup, readLastBackup } from '../backups/readLastBackup.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { type Finding, findingsFor, formatDuration } from './finding.ts'

/** Milliseconds by which a backup may be late. */
const GRACE_PERIOD = 2 * 3_600_000

/** @param db null when the database does not answer. */
export async function checkBackup(env: Env, db: Database | null): Promise<Finding> {
  const { ok, off, warning, fault } = findingsFor('Backup')
  const folderFault = env.BACKUP_DIR ? await findFolderFault(env.BACKUP_DIR) : null
  if (folderFault) return fault(folderFault)
  // A development machine needs none.
  const report = env.production ? warning : off
  if (!db) return report('nothing is known of backups while the database does not answer')
  const archive = env.DATABASE_URL ? await readArchive(db) : null
  if (archive) return archive

  const ageOf = ({ startedAt }: LastBackup) => Date.now() - startedAt.getTime()
  const isLate = (backup: LastBackup) => ageOf(backup) > 2 * env.BACKUP_EVERY * 3_600_000 + GRACE_PERIOD
  const isScheduling = Boolean(env.BACKUP_DIR)
  const { last, newer, failure } = await readLastBackup(db, { isScheduling, isLate }).catch(
    ignoreMissingTable,
  )
  const advice = env.BACKUP_DIR
    ? 'read the log of the server'
    : 'set BACKUP_DIR, and the server backs up every night'
  const failed = failure
    ? [
        `the last attempt, ${formatDuration(Date.now() - failure.startedAt.getTime())} ago, failed: ${failure.trouble}`,
      ]
    : []
  if (!last) {
    const others =
      env.DATABASE_URL && !env.BACKUP_DIR ? ', unless your database is backed up in another way' : ''
    return report(['there is none', ...failed, `${advice}${others}`].join('; '))
  }
  const faults = [
    ...failed,
    ...(last.trouble === null ? [] : [`not proven: ${last.trouble}`]),
    ...((await isGone(last)) ? ['the file is gone'] : []),
    ...(isLate(last) ? [advice] : []),
  ]
  const facts = [
    `${formatDuration(ageOf(last))} old`,
    `${(last.bytes / 1024 ** 2).toFixed(1)} MiB`,
    `in ${placeOf(last)}`,
    ...(last.provenAt ? ['restored to prove it'] : []),
    ...((await isOnDatabaseDisk(env, last)) ? ['on the disk of the database, so copy it to another'] : []),
    ...(newer ? [`a newer one by hand was written to ${placeOf(newer)}`] : []),
  ].join(', ')
  return faults.length === 0 ? ok(facts) : report([facts, ...faults].join('; '))
}

/** The table is missing until a server of this version has started. */
function ignoreMissingTable(error: unknown): { last: null; newer: null; failure: null } {
  if ((error as { code?: string }).code === '42P01') return { last: null, newer: null, failure: null }
  throw error
}

const placeOf = ({ machine, file }: LastBackup) => (machine === hostname() ? file : `${file} on ${machine}`)

async function isGone({ machine, file }: LastBackup): Promise<boolean> {
  return machine === hostname() && (await deviceOf(file)) === null
}

async function isOnDatabaseDisk(
  { DATABASE_URL, DATA_DIR }: Env,
  { machine, file }: LastBackup,
): Promise<boolean> {
  if (DATABASE_URL || machine !== hostname()) return false
  const device = await deviceOf(path.dirname(file))
  return device !== null && device === (await deviceOf(path.resolve(DATA_DIR)))
}

function deviceOf(file: string): Promise<number | null> {
  return stat(file).then(
    ({ dev }) => dev,
    () => null,
  )
}

/** The state of PostgreSQL's archive of its write-ahead log; null when there is none. */
async function readArchive(db: Database): Promise<Finding | null> {
  const { ok, warning } = findingsFor('Backup')
  const [row] = await db<{ mode: string; archivedAt: Date | null; failedAt: Date | null }[]>`
    select current_setting('archive_mode') as mode, last_archived_time as archived_at, last_failed_time as failed_at
    from pg_stat_archiver`
  if (!row || row.mode === 'off') return null
  const { archivedAt, failedAt } = row
  if (failedAt && (!archivedAt || failedAt > archivedAt)) {
    return warning(
      'PostgreSQL cannot archive its log (archive_command fails): read its server log, before its disk is full',
    )
  }
  if (!archivedAt) return null
  return ok(`PostgreSQL archives its log, last ${formatDuration(Date.now() - archivedAt.getTime())} ago`)
}
