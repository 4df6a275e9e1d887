import type { Fragment, Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import type { SessionUser } from '../http/route.ts'
import { endSessions } from './sessions.ts'

/** In production, only the people in DIAGNOSTIC_EMAILS see the diagnostic pages (diagnostics-1). */
export function canSeeDiagnostics(env: Env, { email }: SessionUser): boolean {
  if (!env.production) return true
  return email !== null && env.DIAGNOSTIC_EMAILS.includes(email)
}

/** The desk is for stewards and those who see the diagnostic pages (desk-10). */
export function canSeeDesk(env: Env, user: SessionUser): boolean {
  return user.isSteward || canSeeDiagnostics(env, user)
}

/** Grants access to the desk (desk-10). False when the account had it. */
export async function appointSteward(db: Queryable, userId: string): Promise<boolean> {
  const changed = await db`update users set is_steward = true where id = ${userId} and not is_steward`
  return changed.count > 0
}

/** Revokes access to the desk; servers notice within five seconds. False when the account was no steward. */
export async function dismissSteward(db: Queryable, userId: string): Promise<boolean> {
  const changed = await db`update users set is_steward = false where id = ${userId} and is_steward`
  return changed.count > 0
}

/** Who suspends: only the same rank or a higher one lifts it (desk-16). */
export type Rank = 'steward' | 'operator'

export const rankOf = (env: Env, user: SessionUser): Rank =>
  canSeeDiagnostics(env, user) ? 'operator' : 'steward'

/**
 * Suspends an account and signs it out everywhere. An operator's suspension replaces a steward's. False when it was
 * suspended. Call it inside a transaction.
 */
export async function suspendAccount(tx: Queryable, userId: string, by: Rank): Promise<boolean> {
  const changed = await tx`
    update users set suspended_at = now(), suspended_by = ${by}
    where id = ${userId} and (suspended_at is null or suspended_by = 'steward' and ${by}::text = 'operator')`
  await endSessions(tx, userId)
  return changed.count > 0
}

/** Whether the listener of `row`, a vote or a report, is suspended: it does not count meanwhile (desk-12). */
export const isOfSuspended = (db: Queryable, row: Fragment) => db`
  exists (select from users a where a.id = ${row}.user_id and a.suspended_at is not null)`

/** Lifts a suspension; the listener has to sign in again. False when there was none, or one by a higher rank. */
export async function restoreAccount(db: Queryable, userId: string, by: Rank): Promise<boolean> {
  const changed = await db`
    update users set suspended_at = null, suspended_by = null
    where id = ${userId} and suspended_at is not null and ${by}::text in ('operator', suspended_by)`
  return changed.count > 0
}
