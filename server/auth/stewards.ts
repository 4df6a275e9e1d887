import type { Queryable } from '../db/connection.ts'

/** Gives an account the desk (desk-10). False when it had it already. */
export async function appointSteward(db: Queryable, userId: string): Promise<boolean> {
  const changed = await db`update users set is_steward = true where id = ${userId} and not is_steward`
  return changed.count > 0
}

/** Takes the desk away; servers notice within five seconds. False when the account was no steward. */
export async function dismissSteward(db: Queryable, userId: string): Promise<boolean> {
  const changed = await db`update users set is_steward = false where id = ${userId} and is_steward`
  return changed.count > 0
}
