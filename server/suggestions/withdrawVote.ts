import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'

/**
 * Withdraws the listener's vote, and a suggestion without votes (desk-7), unless the catalogue found it (desk-21).
 * @throws HttpError 404 for a suggestion that is not the listener's, 409 when it was decided.
 */
export async function withdrawVote(
  db: Database,
  listener: string,
  id: string,
): Promise<{ success: boolean }> {
  return db.begin(async (tx) => {
    const [row] = await tx<{ state: string; isWithdrawn: boolean }[]>`
      select g.state, v.withdrawn_at is not null as is_withdrawn
      from suggestions g join suggestion_votes v on v.suggestion_id = g.id
      where g.id = ${id} and v.user_id = ${listener} for update of g`
    if (!row) throw new HttpError(404, 'You have made no such suggestion.')
    if (row.isWithdrawn) return { success: true }
    if (row.state !== 'waiting') throw new HttpError(409, 'This suggestion has been decided.')
    await tx`
      update suggestion_votes set withdrawn_at = now() where suggestion_id = ${id} and user_id = ${listener}`
    await tx`
      update suggestions g set state = 'withdrawn' where g.id = ${id} and g.found_score is null and not exists (
        select from suggestion_votes v where v.suggestion_id = g.id and v.withdrawn_at is null)`
    return { success: true }
  })
}
