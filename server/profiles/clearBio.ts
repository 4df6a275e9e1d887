import type { Transaction } from '../db/connection.ts'

/** Removes a bio (desk-16). Returns it; null when there is none. */
export async function clearBio(tx: Transaction, userId: string): Promise<string | null> {
  const [user] = await tx<{ bio: string | null }[]>`
    select bio from users where id = ${userId} for no key update`
  await tx`update users set bio = null where id = ${userId}`
  return user?.bio ?? null
}

/** Restores a removed bio. False when its owner has written another one. */
export async function restoreBio(tx: Transaction, userId: string, bio: string): Promise<boolean> {
  const restored = await tx`update users set bio = ${bio} where id = ${userId} and bio is null`
  return restored.count > 0
}
