import type { Database } from '../db/connection.ts'
import { inBatches } from '../db/inBatches.ts'

/** Few, because their listeners' own follows wait for a batch. */
const FOLLOWS_PER_BATCH = 500

/** Deletes the follows of deleted accounts (people-18), the oldest account first. */
export async function removeFollows(db: Database, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const [gone] = await db<{ id: string }[]>`
      select user_id as id from deleted_accounts order by deleted_at limit 1`
    if (!gone) return
    for (const column of ['follower_id', 'followed_id'] as const)
      await inBatches(
        signal,
        (rows) => db`
          delete from follows where (follower_id, followed_id) in (
            select follower_id, followed_id from follows where ${db(column)} = ${gone.id} limit ${rows})`,
        FOLLOWS_PER_BATCH,
      )
    if (!signal?.aborted) await db`delete from deleted_accounts where user_id = ${gone.id}`
  }
}
