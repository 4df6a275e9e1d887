import { PHOTO_SIZES } from '../../contract/uploads.ts'
import type { Queryable } from '../db/connection.ts'
import type { ObjectStore } from '../integrations/storage/ObjectStore.ts'
import { isKey, photoKey } from '../integrations/storage/objectKeys.ts'

/** A row of `uploads`: a file that was sent, or a photo that was made of one. */
export interface StoredUpload {
  key: string
  /** What the store calls the parts that are under way. */
  uploadId: string | null
}

/** The row of a photo stands for all its sizes. */
export const photoRow = (photo: string) => `photos/${photo}`

/** Removes what an upload left in the store, then its row: until then it can be tried again. */
export async function discardUpload(
  db: Queryable,
  store: ObjectStore,
  { key, uploadId }: StoredUpload,
): Promise<void> {
  if (uploadId !== null) await store.dropParts(key, uploadId)
  for (const object of objectsOf(key)) await store.remove(object)
  await db`delete from uploads where key = ${key}`
}

/** Removes everything that a listener uploaded. */
export async function discardUploadsOf(db: Queryable, store: ObjectStore, listener: string): Promise<void> {
  const uploads = await db<StoredUpload[]>`select key, upload_id from uploads where user_id = ${listener}`
  for (const upload of uploads) await discardUpload(db, store, upload)
}

function objectsOf(key: string): string[] {
  const photo = /^photos\/(.+)$/.exec(key)?.[1]
  const keys = photo === undefined ? [key] : PHOTO_SIZES.map((size) => photoKey(photo, size))
  return keys.filter(isKey)
}
