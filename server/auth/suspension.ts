import type { Queryable } from '../db/connection.ts'
import { endSessions } from './sessions.ts'

/**
 * Suspends an account and signs it out everywhere. False when it was suspended already. Call it inside a transaction.
 */
export async function suspendAccount(tx: Queryable, userId: string): Promise<boolean> {
  const changed = await tx`
    update users set suspended_at = now() where id = ${userId} and suspended_at is null`
  await endSessions(tx, userId)
  return changed.count > 0
}

/** Lifts a suspension; the listener has to sign in again. False when there was none. */
export async function restoreAccount(db: Queryable, userId: string): Promise<boolean> {
  const changed = await db`
    update users set suspended_at = null where id = ${userId} and suspended_at is not null`
  return changed.count > 0
}
