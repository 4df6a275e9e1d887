import {
  addCollectionItem,
  createCollection,
  deleteCollection,
  shareCollection,
} from '../../contract/collections.ts'
import { call } from '../api/call.ts'
import type { CollectionDraft } from './CollectionFields.tsx'

/**
 * Creates a collection of these microgenres, one call each (sharing-2), and its link unless it is private (sharing-5).
 * When a call fails the collection is deleted.
 */
export async function createSharedCollection(
  draft: CollectionDraft,
  genres: readonly { id: string }[],
): Promise<{ id: string; shareToken: string | null }> {
  const { id } = await call(createCollection, { body: draft })
  try {
    for (const genre of genres) {
      await call(addCollectionItem, { params: { id }, body: { microgenreId: genre.id } })
    }
    const { shareToken } = draft.isPublic
      ? await call(shareCollection, { params: { id } })
      : { shareToken: null }
    return { id, shareToken }
  } catch (error) {
    await call(deleteCollection, { params: { id } }).catch(() => {})
    throw error
  }
}
