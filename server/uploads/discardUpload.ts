import { ADDRESS_SECONDS, PHOTO_SIZES } from '../../contract/uploads.ts'
import type { Database, Queryable } from '../db/connection.ts'
import type { Store } from '../integrations/storage/createStore.ts'
import { isObjectKey, type ObjectStore, photoKey } from '../integrations/storage/ObjectStore.ts'

/** A row of `uploads`: an uploaded file, or a photo made from one. */
export interface StoredUpload {
  key: string
  /** The store's id of an unfinished multipart upload. */
  uploadId: string | null
}

/** One row stands for all sizes of a photo. */
export const photoUploadKey = (photo: string) => `photos/${photo}`

/** Deletes an upload's files from the store, then its row, so that a failure can be retried. */
export async function deleteUpload(
  db: Queryable,
  store: ObjectStore,
  { key, uploadId }: StoredUpload,
): Promise<void> {
  if (uploadId !== null) await store.abortParts(key, uploadId)
  for (const object of objectsOf(key)) await store.remove(object)
  await db`delete from uploads where key = ${key}`
}

/**
 * Deletes the files of an upload that has addresses. A bucket takes another file at them until they expire, so the row
 * stays, and counts, until then; the sweep deletes both. Our own addresses end with the row.
 */
export async function discardUpload(db: Queryable, store: Store, upload: StoredUpload): Promise<void> {
  if (store.disk === store) return deleteUpload(db, store, upload)
  const { key, uploadId } = upload
  if (uploadId !== null) await store.abortParts(key, uploadId)
  await store.remove(key)
  await db`
    update uploads set discarded_at = now(), file_name = null,
      expires_at = now() + ${ADDRESS_SECONDS} * interval '1 second'
    where key = ${key}`
}

/** Leaves all that a listener uploaded to the next sweep. */
export async function expireUploadsOf(db: Queryable, listener: string): Promise<void> {
  await db`
    update uploads set file_name = null, expires_at = now(),
      discarded_at = case when key like 'uploads/%' then now() end
    where user_id = ${listener}`
}

function objectsOf(key: string): string[] {
  const photo = /^photos\/(.+)$/.exec(key)?.[1]
  const keys = photo === undefined ? [key] : PHOTO_SIZES.map((size) => photoKey(photo, size))
  return keys.filter(isObjectKey)
}

/** Uploads per query. */
const BATCH_SIZE = 100

/**
 * Deletes unfinished uploads, files that were never used, and replaced photos. One that cannot be deleted is tried again
 * after an hour.
 * @throws Error, after all others were deleted, when there was one.
 */
export async function sweepUploads(db: Database, store: Store, signal?: AbortSignal): Promise<void> {
  let failure: unknown
  while (!signal?.aborted) {
    const expired = await db<(StoredUpload & { hasAddresses: boolean })[]>`
      select key, upload_id,
        coalesce(discarded_at > now() - ${ADDRESS_SECONDS} * interval '1 second', false) as has_addresses
      from uploads where expires_at < now() order by expires_at limit ${BATCH_SIZE}`
    for (const upload of expired) {
      if (signal?.aborted) return
      await (upload.hasAddresses ? discardUpload : deleteUpload)(db, store, upload).catch(
        async (error: unknown) => {
          failure = error
          await db`update uploads set expires_at = now() + interval '1 hour' where key = ${upload.key}`
        },
      )
    }
    if (expired.length < BATCH_SIZE) break
  }
  if (failure) throw failure
}
