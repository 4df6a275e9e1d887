import type { Database } from '../db/connection.ts'
import { inBatches } from '../db/inBatches.ts'

/** Days until things of the desk are deleted (desk-16, desk-19). */
const DAYS = { bioWords: 30, closedReports: 2 * 365, refusedSuggestions: 365 }

/**
 * Deletes the words of removed bios from the trail, closed reports, withdrawn suggestions, and votes for rejected ones, which
 * stay: the catalogue would find them again (catalogue-12).
 */
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
  const before = db`now() - ${DAYS.refusedSuggestions} * interval '1 day'`
  await inBatches(
    signal,
    (rows) => db`
      delete from suggestions where id in (
        select id from suggestions g
        where state = 'withdrawn' and created_at < ${before} and not exists (
          select from suggestion_votes v where v.suggestion_id = g.id and v.withdrawn_at >= ${before})
        limit ${rows} for update skip locked)`,
  )
  await inBatches(
    signal,
    (rows) => db`
      delete from suggestion_votes where (suggestion_id, user_id) in (
        select v.suggestion_id, v.user_id from suggestions g join suggestion_votes v on v.suggestion_id = g.id
        where g.state = 'rejected' and g.decided_at < ${before}
        limit ${rows} for update of v skip locked)`,
  )
}
