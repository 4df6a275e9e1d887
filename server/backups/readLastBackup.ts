import { hostname } from 'node:os'
import type { Database, Queryable } from '../db/connection.ts'

export interface LastBackup {
  startedAt: Date
  machine: string
  file: string
  bytes: number
  scheduled: boolean
  provenAt: Date | null
  /** Why restoring it failed, if it did. */
  trouble: string | null
}

interface BackupHistory {
  /** The last backup with a file. */
  last: LastBackup | null
  /** A newer one by hand, when the last is a scheduled one. */
  newer: LastBackup | null
  /** A later attempt that failed. */
  failure: { startedAt: Date; trouble: string } | null
}

/**
 * The last scheduled backup, or the last one by hand if there is none: only scheduled backups are proven, and stay where
 * they are.
 * @param isScheduling whether this server has a BACKUP_DIR. Without one, a scheduled backup that is late does not count.
 */
export async function readLastBackup(
  db: Database,
  { isScheduling, isLate }: { isScheduling: boolean; isLate: (backup: LastBackup) => boolean },
): Promise<BackupHistory> {
  const newest = await db<(LastBackup & { run: number })[]>`
    select distinct on (scheduled) run, started_at, machine, file, coalesce(bytes::float8, 0) as bytes, scheduled,
      proven_at, trouble
    from backups where bytes is not null order by scheduled, run desc`
  const scheduled = newest.find((backup) => backup.scheduled) ?? null
  const manual = newest.find((backup) => !backup.scheduled) ?? null
  const isRelevant =
    scheduled && (isScheduling || !manual || manual.run < scheduled.run || !isLate(scheduled))
  const last = isRelevant ? scheduled : manual
  // A backup by hand does not make up for a scheduled one that failed.
  const since = (isScheduling ? scheduled : last)?.run ?? 0
  const [failure] = await db<{ startedAt: Date; trouble: string }[]>`
    select started_at, coalesce(trouble, 'it was interrupted') as trouble from backups
    where bytes is null and (ended_at is not null or started_at < now() - interval '1 hour') and run > ${since}
    order by run desc limit 1`
  const newer = last && manual && manual.run > last.run ? manual : null
  return { last, newer, failure: failure ?? null }
}

/** Records a backup by hand, so that `npm run doctor` knows its age. */
export async function recordManualBackup(
  db: Queryable,
  { startedAt, file, bytes }: Pick<LastBackup, 'startedAt' | 'file' | 'bytes'>,
): Promise<void> {
  await db`
    insert into backups (scheduled, machine, started_at, ended_at, file, bytes)
    values (false, ${hostname()}, ${startedAt}, now(), ${file}, ${bytes})`
}
