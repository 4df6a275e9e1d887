import type { Job } from '../../contract/admin.ts'
import type { Database } from '../db/connection.ts'

interface JobRow extends Omit<Job, 'nextRunAt' | 'startedAt' | 'succeededAt' | 'failedAt'> {
  nextRunAt: Date
  startedAt: Date | null
  succeededAt: Date | null
  failedAt: Date | null
}

/** All jobs (accounts-9), those that fail first. */
export async function listJobs(db: Database): Promise<Job[]> {
  const rows = await db<JobRow[]>`
    select name, lease_token is not null and lease_until > now() as running, next_run_at, started_at, succeeded_at,
      duration_ms as duration, failures, failed_at, error
    from jobs order by failures > 0 desc, name`
  return rows.map((row) => ({
    ...row,
    nextRunAt: row.nextRunAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    succeededAt: row.succeededAt?.toISOString() ?? null,
    failedAt: row.failedAt?.toISOString() ?? null,
  }))
}
