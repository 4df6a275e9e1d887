import { hostname } from 'node:os'
import type { Database, Queryable } from '../db/connection.ts'

export interface LastBackup {
  startedAt: Date
  machine: string
  file: string
  bytes: number
  scheduled: boolean
  provenAt: Date | null
  /** Why it was not proven, if that was tried. */
  trouble: string | null
}

/** The last backup with a file, and a later attempt that failed. */
export async function readLastBackup(
  db: Database,
): Promise<{ last: LastBackup | null; failure: { startedAt: Date; trouble: string } | null }> {
  const [last] = await db<LastBackup[]>`
    select started_at, machine, file, coalesce(bytes::float8, 0) as bytes, scheduled, proven_at, trouble
    from backups where bytes is not null order by run desc limit 1`
  const [failure] = await db<{ startedAt: Date; trouble: string }[]>`
    select started_at, coalesce(trouble, 'it was interrupted') as trouble from backups
    where bytes is null and (ended_at is not null or started_at < now() - interval '1 hour')
      and run > coalesce((select max(run) from backups where bytes is not null), 0)
    order by run desc limit 1`
  return { last: last ?? null, failure: failure ?? null }
}

/** Remembers a backup by hand, so that `npm run doctor` knows its age. */
export async function rememberBackup(
  db: Queryable,
  { startedAt, file, bytes }: Pick<LastBackup, 'startedAt' | 'file' | 'bytes'>,
): Promise<void> {
  await db`
    insert into backups (scheduled, machine, started_at, ended_at, file, bytes)
    values (false, ${hostname()}, ${startedAt}, now(), ${file}, ${bytes})`
}
