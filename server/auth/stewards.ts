import type { Queryable } from '../db/connection.ts'

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
