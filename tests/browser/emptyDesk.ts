import type { Database } from '../../server/db/connection.ts'

/** Cases of other tests do not wait. */
export async function emptyDesk(db: Database): Promise<void> {
  await db`update suggestions set state = 'withdrawn' where state = 'waiting'`
  await db`update reports set withdrawn_at = now() where closed_by is null`
  await db`update video_candidates set refusal = 'other song' where refusal is not null`
  await db`update found_microgenres set state = 'rejected' where state = 'waiting'`
}
