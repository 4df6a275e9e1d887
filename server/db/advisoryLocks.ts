import type { Database, Queryable, Transaction } from './connection.ts'

/** The key of each advisory lock, over all server processes and versions: a key never changes its meaning. */
export const LOCK_KEYS = {
  schema: 7041000,
  /** Of fold_changes and move_windows. */
  rollUp: 7041001,
  catalogue: 7041002,
  /** The first of two keys; the second is a hash of the e-mail address. */
  signInAddress: 7041003,
  /** The first of two keys; the second is a hash of the provider and its id of the person. */
  identity: 7041004,
  affinities: 7041006,
  learner: 7041008,
  map: 7041009,
  backup: 7041012,
  longTail: 7041026,
  folding: 7041040,
} as const

export type LockName = keyof typeof LOCK_KEYS

/**
 * Runs `work` in a transaction that holds the lock, with a minute for each statement. Does nothing while another process
 * holds it.
 */
export async function withAdvisoryLock(
  db: Database,
  name: LockName,
  work: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  await db.begin(async (tx) => {
    const { length: isFree } = await tx`select where pg_try_advisory_xact_lock(${LOCK_KEYS[name]})`
    if (!isFree) return
    await tx`set local statement_timeout = '60s'`
    await work(tx)
  })
}

/** Waits for the lock, which the transaction then holds until its end. */
export async function lock(tx: Queryable, name: LockName): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCK_KEYS[name]})`
}

/**
 * Takes the lock for the session of a pool with one connection; false when another process holds it. Repeating this is
 * harmless, and takes the lock again after the connection was lost.
 */
export async function tryLock(db: Queryable, name: LockName): Promise<boolean> {
  const { length } = await db`select where pg_try_advisory_lock(${LOCK_KEYS[name]})`
  return length > 0
}

/** Releases all locks of the session. */
export async function unlock(db: Queryable): Promise<void> {
  await db`select from pg_advisory_unlock_all()`
}
