import type { Transaction } from '../db/connection.ts'
import { deleteShareToken, restoreShareToken } from '../sharing/shareTokens.ts'

/** Makes a collection private and ends its link (desk-16). Returns the link's token; null when there was none. */
export async function hideCollection(tx: Transaction, id: string): Promise<string | null> {
  await tx`select from collections where id = ${id} for update`
  const [link] = await tx<{ token: string }[]>`
    select token from share_tokens where kind = 'collection' and target_id = ${id}`
  await tx`update collections set is_public = false where id = ${id}`
  await deleteShareToken(tx, 'collection', id)
  return link?.token ?? null
}

/** Makes it public again, with its former link. False when it is deleted, or its owner has made it public. */
export async function showCollection(tx: Transaction, id: string, token: string | null): Promise<boolean> {
  const [shown] = await tx<{ userId: string }[]>`
    update collections set is_public = true where id = ${id} and not is_public returning user_id`
  if (!shown) return false
  if (token) await restoreShareToken(tx, shown.userId, 'collection', id, token)
  return true
}
