import type { Database } from '../db/connection.ts'

/** Keeps an account out, whatever the way in, and signs it out everywhere. False when it was out already. */
export async function suspendAccount(db: Database, userId: string): Promise<boolean> {
  return db.begin(async (tx) => {
    const changed = await tx`
      update users set suspended_at = now() where id = ${userId} and suspended_at is null`
    await tx`delete from sessions where user_id = ${userId}`
    return changed.count > 0
  })
}

/** Lets an account in again; it has to sign in. False when it was not out. */
export async function restoreAccount(db: Database, userId: string): Promise<boolean> {
  const changed = await db`
    update users set suspended_at = null where id = ${userId} and suspended_at is not null`
  return changed.count > 0
}
