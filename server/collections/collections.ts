import {
  type Collection,
  type CollectionItem,
  MAX_COLLECTION_ITEMS,
  MAX_COLLECTIONS,
  type OwnCollection,
  type updateCollection as updateEndpoint,
} from '../../contract/collections.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { Database, Queryable, Transaction } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { deleteShareToken, ensureShareToken, restoreShareToken } from '../sharing/shareTokens.ts'

/** The listener's collections, newest first; with `id` only that one. */
export async function listCollections(
  db: Queryable,
  owner: string,
  id: string | null = null,
): Promise<OwnCollection[]> {
  const rows = await db<(Omit<OwnCollection, 'createdAt'> & { createdAt: Date })[]>`
    select c.id, c.name, c.description, c.is_public, c.created_at, c.view_count, t.token as share_token,
      coalesce(
        (select json_agg(
            json_build_object('microgenreId', m.id::text, 'name', m.name, 'color', m.color) order by i.id)
         from collection_items i join microgenres m on m.id = i.microgenre_id
         where i.collection_id = c.id),
        '[]') as items
    from collections c
    left join share_tokens t on t.kind = 'collection' and t.target_id = c.id and t.user_id = c.user_id
    where c.user_id = ${owner} and c.id = coalesce(${id}, c.id)
    order by c.id desc`
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }))
}

/**
 * Creates an empty collection. A blank description becomes null.
 * @throws HttpError 409 when the listener has `MAX_COLLECTIONS`. Concurrent calls can exceed it by a few.
 */
export async function createCollection(
  db: Database,
  owner: string,
  input: { name: string; description?: string | null; isPublic: boolean },
): Promise<Collection> {
  const [row] = await db<Omit<Collection, 'items' | 'shareToken'>[]>`
    insert into collections (user_id, name, description, is_public)
    select ${owner}, ${input.name}, ${input.description || null}, ${input.isPublic}
    where (select count(*) from collections where user_id = ${owner}) < ${MAX_COLLECTIONS}
    returning id, name, description, is_public`
  if (!row) throw new HttpError(409, `You have ${MAX_COLLECTIONS} collections. Delete one first.`)
  return { ...row, items: [], shareToken: null }
}

/**
 * Changes the given fields. A collection that becomes private loses its link at once (sharing-4).
 * @throws HttpError 404 for another listener's or an unknown collection, or an unknown microgenre.
 */
export async function updateCollection(
  db: Database,
  owner: string,
  id: string,
  { name, description, isPublic, microgenreIds }: BodyOf<typeof updateEndpoint>,
): Promise<OwnCollection> {
  return db.begin(async (tx) => {
    // Additions and sharing lock the row too, so neither falls between the statements.
    const [row] = await tx`select from collections where id = ${id} and user_id = ${owner} for update`
    if (!row) throw noSuchCollection()
    if (microgenreIds) await replaceItems(tx, id, microgenreIds)
    await tx`
      update collections set
        name = coalesce(${name ?? null}, name),
        description = case when ${description !== undefined} then ${description || null} else description end,
        is_public = coalesce(${isPublic ?? null}, is_public)
      where id = ${id}`
    if (isPublic === false) await deleteShareToken(tx, 'collection', id)
    const [changed] = await listCollections(tx, owner, id)
    if (!changed) throw new Error('A locked row is gone.')
    return changed
  })
}

/** Items keep their `added_at`. They are ordered by id. */
async function replaceItems(tx: Queryable, id: string, microgenreIds: string[]): Promise<void> {
  const removed = await tx<{ microgenreId: string; addedAt: Date }[]>`
    delete from collection_items where collection_id = ${id} returning microgenre_id, added_at`
  const addedTimes = new Map(
    removed.map(({ microgenreId, addedAt }) => [microgenreId, addedAt.toISOString()]),
  )
  const rows = microgenreIds.map((genre, place) => ({ genre, place, added: addedTimes.get(genre) ?? null }))
  const inserted = await tx`
    insert into collection_items (collection_id, microgenre_id, added_at)
    select ${id}, m.id, coalesce(i.added, now())
    from jsonb_to_recordset(${tx.json(rows)}) as i (genre bigint, place int, added timestamptz)
    join microgenres m on m.id = i.genre
    order by i.place`
  if (inserted.count < rows.length) throw new HttpError(404, 'There is no such microgenre.')
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
    // Serialises additions to the collection, so that each counts the items of the others.
    const [collection] = await tx`
      select from collections where id = ${id} and user_id = ${owner} for update`
    if (!collection) throw noSuchCollection()
    const [genre] = await tx`select from microgenres where id = ${microgenreId}`
    if (!genre) throw new HttpError(404, 'There is no such microgenre.')
    const [removed] = await tx<{ others: number }[]>`
      select count(*)::int as others from collection_items
      where collection_id = ${id} and microgenre_id <> ${microgenreId}`
    if (removed && removed.others >= MAX_COLLECTION_ITEMS) {
      throw new HttpError(409, `A collection holds at most ${MAX_COLLECTION_ITEMS} microgenres.`)
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
    return { shareToken: await ensureShareToken(tx, owner, 'collection', id) }
  })
}

/**
 * Ends the share link, if there is one.
 * @throws HttpError 404 for another listener's or an unknown collection.
 */
export async function unshareCollection(
  db: Database,
  owner: string,
  id: string,
): Promise<{ success: boolean }> {
  const [row] = await db`select from collections where id = ${id} and user_id = ${owner}`
  if (!row) throw noSuchCollection()
  await deleteShareToken(db, 'collection', id)
  return { success: true }
}

/** @throws HttpError 404 for another listener's or an unknown collection. */
export async function deleteCollection(
  db: Database,
  owner: string,
  id: string,
): Promise<{ success: boolean }> {
  return db.begin(async (tx) => {
    // The deletion of the account then takes its name off the trail, too (desk-19).
    await tx`
      update decisions set kept = kept || jsonb_build_object('owner', ${owner}::text)
      where subject = 'collection' and subject_id = (
        select id from collections where id = ${id} and user_id = ${owner})`
    const deleted = await tx`delete from collections where id = ${id} and user_id = ${owner}`
    if (deleted.count === 0) throw noSuchCollection()
    await deleteShareToken(tx, 'collection', id)
    return { success: true }
  })
}

const noSuchCollection = () => new HttpError(404, 'You have no such collection.')

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
