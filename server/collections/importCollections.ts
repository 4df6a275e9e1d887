import { MAX_COLLECTIONS } from '../../contract/collections.ts'
import type { Database, Transaction } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { deleteCollection } from './collections.ts'

/** A collection of an import; with the id of the one that was made of it. */
export interface ImportedCollection {
  name: string
  description: string | null
  isPublic: boolean
  /** By their names, in order. */
  microgenres: string[]
  id?: string
}

/** Makes collections again, unless the listener has one of that name, or too many. Returns all, with the new ids. */
export async function importCollections(
  tx: Transaction,
  owner: string,
  collections: readonly ImportedCollection[],
): Promise<ImportedCollection[]> {
  const imported: ImportedCollection[] = []
  for (const each of collections) {
    const [made] = await tx<{ id: string }[]>`
      insert into collections (user_id, name, description, is_public)
      select ${owner}, ${each.name}, ${each.description || null}, ${each.isPublic}
      where ${each.name} <> '' and not exists (select from collections where user_id = ${owner} and name = ${each.name})
        and (select count(*) from collections where user_id = ${owner}) < ${MAX_COLLECTIONS}
      returning id`
    if (made)
      await tx`
        insert into collection_items (collection_id, microgenre_id)
        select ${made.id}, m.id from unnest(${each.microgenres}::text[]) with ordinality n (name, place)
        join microgenres m on m.name = n.name and m.retired_at is null order by n.place
        on conflict do nothing`
    imported.push(made ? { ...each, id: made.id } : each)
  }
  return imported
}

/** Deletes those that were made. */
export async function removeCollections(
  db: Database,
  owner: string,
  collections: readonly ImportedCollection[],
): Promise<void> {
  for (const { id } of collections)
    if (id)
      await deleteCollection(db, owner, id).catch((error: unknown) => {
        if (!(error instanceof HttpError && error.status === 404)) throw error
      })
}
