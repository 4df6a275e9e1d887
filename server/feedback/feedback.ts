import type { ReceivedFeedback } from '../../contract/feedback.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { inBatches } from '../db/inBatches.ts'

/** Stores a message to the operator; it is mailed later, so a mail server that is down loses nothing. */
export async function storeFeedback(
  db: Database,
  userId: string | null,
  { email, message }: { email: string; message: string },
): Promise<{ message: string }> {
  await db`insert into feedback (user_id, email, message) values (${userId}, ${email}, ${message})`
  return { message: 'Thank you for your feedback.' }
}

/** At most `limit` messages, newest first: those before the message `before`, and not older than `since`. */
export async function listFeedback(
  db: Database,
  { before = null, since = null, limit }: { before?: string | null; since?: Date | null; limit: number },
): Promise<ReceivedFeedback[]> {
  const rows = await db<(Omit<ReceivedFeedback, 'createdAt'> & { createdAt: Date })[]>`
    select f.id, case when f.user_id is null then 'visitor' else 'listener' end as from,
      ${replyAddress(db)} as email, f.message, f.created_at, f.mailed_at is not null as mailed
    from feedback f
    where (${before}::bigint is null or f.id < ${before}::bigint)
      and (${since}::timestamptz is null or f.created_at >= ${since}::timestamptz)
    order by f.id desc limit ${limit}`
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

/** The address for an answer to message `f`; null when its listener wants no e-mails (people-24). */
export const replyAddress = (db: Queryable) => db`
  case when not exists (select from users u where u.id = f.user_id and u.email_opt_out) then f.email end`

/** Days after which messages are deleted (people-25). */
const MAX_DAYS = 365

export const sweepFeedback = (db: Database, signal?: AbortSignal): Promise<void> =>
  inBatches(
    signal,
    (rows) => db`
      delete from feedback where id in (
        select id from feedback where created_at < now() - ${MAX_DAYS} * interval '1 day' limit ${rows})`,
  )
