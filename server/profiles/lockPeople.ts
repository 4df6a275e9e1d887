import { LOCK_KEYS } from '../db/advisoryLocks.ts'
import type { Queryable } from '../db/connection.ts'

/*
 * Transactions that lock the same people in different orders deadlock. The order: the listener's stats row; the
 * deletion lock; rows of `users` by id; everything else.
 */

/**
 * Prevents the deletion of these accounts until the transaction ends; waits for one in progress. Used when a follow
 * is added, because a deletion must know whose counts it changes before it locks the first of them.
 */
export async function lockAgainstDeletion(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx`
    select pg_advisory_xact_lock_shared(${LOCK_KEYS.deletion}, key)
    from (select distinct (id & 2147483647)::int as key from unnest(${ids as string[]}::bigint[]) id order by key) keys`
}

interface LockedPerson {
  id: string
  /** Public, and not suspended. */
  isShown: boolean
  followerCount: number
  followingCount: number
}

/** Locks those that exist, to change their counts. The lock permits checks of foreign keys. */
export async function lockPeople(tx: Queryable, ids: readonly string[]): Promise<LockedPerson[]> {
  return tx`
    select id, is_public and suspended_at is null as is_shown, follower_count, following_count
    from users where id = any(${ids as string[]}::bigint[]) order by id for no key update`
}

/** Locks an account to be deleted, all whom it follows, and all who follow it. */
export async function lockForDeletion(tx: Queryable, id: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCK_KEYS.deletion}, (${id}::bigint & 2147483647)::int)`
  const followNeighbours = tx`
    select followed_id from follows where follower_id = ${id}
    union select follower_id from follows where followed_id = ${id}`
  await tx`select from users where id in (${followNeighbours}) and id < ${id} order by id for no key update`
  await tx`select from users where id = ${id} for update`
  await tx`select from users where id in (${followNeighbours}) and id > ${id} order by id for no key update`
}
