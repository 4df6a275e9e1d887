import type { Database, Queryable } from '../../db/connection.ts'

/** The key of an advisory lock: only one process learns at a time. */
const LEARNER_LOCK = 7041008

/**
 * Takes the session's advisory lock; false when another process has it. Repeating it is harmless, and takes the lock
 * again after the connection was lost.
 */
export async function tryLearnerLock(db: Queryable): Promise<boolean> {
  const { length } = await db`select where pg_try_advisory_lock(${LEARNER_LOCK})`
  return length > 0
}

/** @throws Error when the lock was lost with the connection, and another process has taken it. */
export async function requireLearnerLock(db: Queryable): Promise<void> {
  if (!(await tryLearnerLock(db))) throw new Error('Another process has begun to learn.')
}

export async function releaseLearnerLock(db: Database): Promise<void> {
  await db`select from pg_advisory_unlock_all()`
}
