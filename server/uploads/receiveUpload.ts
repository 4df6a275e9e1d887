import { randomBytes } from 'node:crypto'
import { MAX_IMPORT_BYTES, MAX_WHOLE_IMPORT_BYTES } from '../../contract/imports.ts'
import { MAX_PHOTO_BYTES } from '../../contract/uploads.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import { HttpError, signInRequired } from '../http/HttpError.ts'
import type { IncomingBytes } from '../http/incomingBytes.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import type { Store } from '../integrations/storage/createStore.ts'
import { ExpiredAddress } from '../integrations/storage/LocalStore.ts'
import { uploadKey } from '../integrations/storage/ObjectStore.ts'
import type { SignedQuery } from '../integrations/storage/signature.ts'
import { discardUpload, type StoredUpload } from './discardUpload.ts'

/** Bytes of files that wait to be read: a folder arrives together. */
const IMPORT_QUOTA_BYTES = 4 * MAX_IMPORT_BYTES

type Purpose = 'profile-photo' | 'file' | 'import'

interface AnnouncedFile {
  purpose: Purpose
  name: string | null
  type: string | null
  /** Bytes; null when the sender did not announce a size. */
  size: number | null
  inParts?: boolean
}

/** Seconds after which an unfinished upload, or a file that was never used, is deleted. */
const LIFETIME_SECONDS = {
  'profile-photo': 60 * 60,
  file: 24 * 60 * 60,
  import: 24 * 60 * 60,
} satisfies Record<Purpose, number>

const UPLOADS_PER_HOUR = defineLimit({
  name: 'upload',
  max: 120,
  seconds: 60 * 60,
  message: 'You have uploaded many files within an hour. Please wait a while.',
  counts: 'uploads',
  per: 'listener',
})

/**
 * Reserves quota for a file and returns its key. Without a size it reserves the maximum of such a file.
 * @throws HttpError 413 for a file that is too large or exceeds the listener's quota, 429
 */
export async function beginUpload(
  { db, env, integrations }: Context,
  listener: string,
  { purpose, name, type, size, inParts = false }: AnnouncedFile,
): Promise<{ key: string; limit: number }> {
  const isImport = purpose === 'import'
  const limit = {
    'profile-photo': MAX_PHOTO_BYTES,
    file: env.UPLOAD_MAX_BYTES,
    import: inParts ? MAX_IMPORT_BYTES : MAX_WHOLE_IMPORT_BYTES,
  }[purpose]
  if ((size ?? 0) > limit) throw tooLarge(limit)
  await enforceLimit(db, UPLOADS_PER_HOUR, listener)
  const quota = isImport ? IMPORT_QUOTA_BYTES : env.UPLOAD_QUOTA_BYTES
  if (isImport) await discardUnread(db, integrations.store, listener, quota - (size ?? limit))
  const key = uploadKey(listener, randomBytes(16).toString('base64url'))
  await db.begin(async (tx) => {
    // Serialises the listener's uploads, so that each sees the reservations of those before.
    const [user] = await tx`select from users where id = ${listener} for update`
    if (!user) throw signInRequired()
    const [used] = await tx<{ bytes: string }[]>`
      select coalesce(sum(size), 0)::text as bytes from uploads
      where user_id = ${listener} and (purpose = 'import') = ${isImport}
        -- A bucket takes no more parts of what was discarded.
        and (discarded_at is null or upload_id is null)`
    if (Number(used?.bytes) + (size ?? limit) > quota) throw quotaExceeded()
    await tx`
      insert into uploads (key, user_id, purpose, file_name, content_type, size, expires_at)
      values (${key}, ${listener}, ${purpose}, ${name}, ${type}, ${size ?? limit},
        now() + ${LIFETIME_SECONDS[purpose]} * interval '1 second')`
  })
  return { key, limit: size ?? limit }
}

/** Files to import that no import has after an hour, of a page that was closed, make way for one that has no room beside them. */
async function discardUnread(db: Database, store: Store, listener: string, room: number): Promise<void> {
  const uploads = await db<(StoredUpload & { size: string; isUsed: boolean })[]>`
    select key, upload_id, size,
      expires_at > now() + ${LIFETIME_SECONDS.import - 3600} * interval '1 second'
        or exists (select from imports i where i.user_id = u.user_id and i.upload_key = u.key) as is_used
    from uploads u where user_id = ${listener} and purpose = 'import' and discarded_at is null`
  if (uploads.reduce((sum, { size }) => sum + Number(size), 0) <= room) return
  for (const upload of uploads) if (!upload.isUsed) await discardUpload(db, store, upload)
}

const tooLarge = (limit: number) =>
  new HttpError(413, `The file is too large. It can have at most ${limit / 1024 / 1024} MB.`)

const quotaExceeded = () =>
  new HttpError(413, 'Your unfinished uploads use up your quota. Please try again later.')

/**
 * Receives a file at an address that the server signed.
 * @throws HttpError 403 for an address that is not ours, has expired or was used, 404 for an aborted upload, 400 and
 * 413 for other bytes than announced, 408 for a slow sender, 409 when it is sent again, 429, 507 for a full disk
 */
export async function receiveUpload(
  { db, integrations: { store } }: Context,
  { owner, object }: { owner: string; object: string },
  query: SignedQuery,
  bytes: IncomingBytes,
): Promise<{ etag: string }> {
  const key = uploadKey(owner, object)
  const permit = store.disk.verifyAddress(key, query)
  const [upload] = await db<{ inParts: boolean; isComplete: boolean }[]>`
    select upload_id is not null as in_parts, completed_at is not null as is_complete from uploads
    where key = ${key} and expires_at > now() and discarded_at is null`
  if (!upload || upload.inParts !== (permit.part !== null)) throw noSuchUpload()
  // A page that lost the response requests another address.
  if (upload.isComplete) throw upload.inParts ? noSuchUpload() : new ExpiredAddress()
  const { etag, size } = await store.disk.receive(permit, bytes)
  if (permit.part === null) {
    const { count } = await db`
      update uploads set size = ${size}, completed_at = now() where key = ${key} and discarded_at is null`
    if (count === 0) {
      await store.remove(key)
      throw noSuchUpload()
    }
  }
  return { etag }
}

export const noSuchUpload = () => new HttpError(404, 'There is no such upload.')
