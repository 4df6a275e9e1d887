import { COLLECTION_ITEM_LIMIT, type Collection, type CollectionItem } from '../../contract/collections.ts'
import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { dropToken, findOrMakeToken } from '../sharing/shareTokens.ts'

/** Creates an empty collection. A blank description becomes null. */
export async function createCollection(
  db: Database,
  owner: string,
  given: { name: string; description?: string | null; isPublic: boolean },
): Promise<Collection> {
  const [row] = await db<Omit<Collection, 'items' | 'shareToken'>[]>`
    insert into collections (user_id, name, description, is_public)
    values (${owner}, ${given.name}, ${given.description || null}, ${given.isPublic})
    returning id, name, description, is_public`
  if (!row) throw new Error('An insert returned no row.')
  return { ...row, items: [], shareToken: null }
}

/**
 * Adds a microgenre to the listener's collection; adding it twice changes nothing.
 * @throws HttpError 404 for another listener's or an unknown collection, or an unknown microgenre; 409 when it is
 * full.
 */
export async function addItem(
  db: Database,
  owner: string,
  id: string,
  microgenreId: string,
): Promise<CollectionItem> {
  return db.begin(async (tx) => {
    // The lock makes concurrent additions to the collection wait, so that each counts the items of the others.
    const [collection] = await tx`
      select from collections where id = ${id} and user_id = ${owner} for update`
    if (!collection) throw noSuchCollection()
    const [genre] = await tx`select from microgenres where id = ${microgenreId}`
    if (!genre) throw new HttpError(404, 'There is no such microgenre.')
    const [held] = await tx<{ others: number }[]>`
      select count(*)::int as others from collection_items
      where collection_id = ${id} and microgenre_id <> ${microgenreId}`
    if (held && held.others >= COLLECTION_ITEM_LIMIT) {
      throw new HttpError(409, `A collection holds at most ${COLLECTION_ITEM_LIMIT} microgenres.`)
    }
    const [item] = await tx<{ id: string; microgenreId: string; addedAt: Date }[]>`
      insert into collection_items as i (collection_id, microgenre_id) values (${id}, ${microgenreId})
      on conflict (collection_id, microgenre_id) do update set added_at = i.added_at
      returning id, microgenre_id, added_at`
    if (!item) throw new Error('An upsert returned no row.')
    return { ...item, addedAt: item.addedAt.toISOString() }
  })
}

/**
 * The token of the share link of the listener's collection.
 * @throws HttpError 404 for another listener's or an unknown collection; 403 for a private one (sharing-5).
 */
export async function shareCollection(
  db: Database,
  owner: string,
  id: string,
): Promise<{ shareToken: string }> {
  return db.begin(async (tx) => {
    const [row] = await tx<{ isPublic: boolean }[]>`
      select is_public from collections where id = ${id} and user_id = ${owner} for share`
    if (!row) throw noSuchCollection()
    if (!row.isPublic) throw new HttpError(403, 'A private collection has no share link.')
    return { shareToken: await findOrMakeToken(tx, owner, 'collection', id) }
  })
}

/** @throws HttpError 404 for another listener's or an unknown collection. */
export async function deleteCollection(
  db: Database,
  owner: string,
  id: string,
): Promise<{ success: boolean }> {
  return db.begin(async (tx) => {
    const deleted = await tx`delete from collections where id = ${id} and user_id = ${owner}`
    if (deleted.count === 0) throw noSuchCollection()
    await dropToken(tx, 'collection', id)
    return { success: true }
  })
}

const noSuchCollection = () => new HttpError(404, 'You have no such collection.')
