import { PHOTO_SIZES } from '../../contract/uploads.ts'
import type { Queryable } from '../db/connection.ts'
import type { ObjectStore } from '../integrations/storage/ObjectStore.ts'
import { isObjectKey, photoKey } from '../integrations/storage/objectKeys.ts'

/** A row of `uploads`: an uploaded file, or a photo made from one. */
export interface StoredUpload {
  key: string
  /** The store's id of an unfinished multipart upload. */
  uploadId: string | null
}

/** One row stands for all sizes of a photo. */
export const photoUploadKey = (photo: string) => `photos/${photo}`

/** Deletes an upload's files from the store, then its row, so that a failure can be retried. */
export async function discardUpload(
  db: Queryable,
  store: ObjectStore,
  { key, uploadId }: StoredUpload,
): Promise<void> {
  if (uploadId !== null) await store.abortParts(key, uploadId)
  for (const object of objectsOf(key)) await store.remove(object)
  await db`delete from uploads where key = ${key}`
}

/** Deletes everything that a listener uploaded. */
export async function discardUploadsOf(db: Queryable, store: ObjectStore, listener: string): Promise<void> {
  const uploads = await db<StoredUpload[]>`select key, upload_id from uploads where user_id = ${listener}`
  for (const upload of uploads) await discardUpload(db, store, upload)
}

function objectsOf(key: string): string[] {
  const photo = /^photos\/(.+)$/.exec(key)?.[1]
  const keys = photo === undefined ? [key] : PHOTO_SIZES.map((size) => photoKey(photo, size))
  return keys.filter(isObjectKey)
}
