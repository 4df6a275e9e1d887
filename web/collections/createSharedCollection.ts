import {
  addCollectionItem,
  COLLECTION_TOP_GENRES,
  createCollection,
  deleteCollection,
  shareCollection,
} from '../../contract/collections.ts'
import { call } from '../api/call.ts'

interface CollectionForm {
  name: string
  description: string
  isPublic: boolean
}

/**
 * Creates a collection of the first three microgenres, one call each (sharing-2), and returns its share token; null
 * for a private one (sharing-5). When a call fails the collection is deleted.
 */
export async function createSharedCollection(
  form: CollectionForm,
  genres: readonly { id: string }[],
): Promise<string | null> {
  const { id } = await call(createCollection, { body: form })
  try {
    for (const genre of genres.slice(0, COLLECTION_TOP_GENRES)) {
      await call(addCollectionItem, { params: { id }, body: { microgenreId: genre.id } })
    }
    return form.isPublic ? (await call(shareCollection, { params: { id } })).shareToken : null
  } catch (error) {
    await call(deleteCollection, { params: { id } }).catch(() => {})
    throw error
  }
}
