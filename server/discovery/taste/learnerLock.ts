import type { Database, Queryable } from '../../db/connection.ts'

/** An arbitrary key of an advisory lock: one process learns at a time. */
const LEARNER_LOCK = 7041008

/**
 * Takes the lock for the session, or false when another process has it. Taking it again does no harm, and takes it back
 * after the connection was lost.
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
