import type { Database } from '../db/connection.ts'
import { inBatches } from '../db/inBatches.ts'

/** Days until things of the desk are deleted (desk-16, desk-19). */
const DAYS = { bioWords: 30, closedReports: 2 * 365, rejectedSuggestions: 365 }

/** Deletes the words of removed bios from the trail, closed reports, and suggestions of listeners that became nothing. */
export async function sweepDesk(db: Database, signal?: AbortSignal): Promise<void> {
  await inBatches(
    signal,
    (rows) => db`
      update decisions set changes = '[]' where id in (
        select id from decisions
        where subject = 'bio' and changes <> '[]' and created_at < now() - ${DAYS.bioWords} * interval '1 day'
        limit ${rows})`,
  )
  await inBatches(
    signal,
    (rows) => db`
      delete from reports where id in (
        select r.id from reports r left join decisions d on d.id = r.closed_by
        where coalesce(r.withdrawn_at, d.created_at) < now() - ${DAYS.closedReports} * interval '1 day'
        limit ${rows} for update of r skip locked)`,
  )
  // Those that the catalogue found stay, or it would find them again (desk-21).
  await inBatches(
    signal,
    (rows) => db`
      delete from suggestions where id in (
        select id from suggestions
        where state in ('rejected', 'withdrawn') and found_score is null
          and coalesce(decided_at, created_at) < now() - ${DAYS.rejectedSuggestions} * interval '1 day'
        limit ${rows} for update skip locked)`,
  )
}
