import { createHash } from 'node:crypto'
import type { CurrentUser } from '../../contract/auth.ts'
import { MAX_PHOTO_BYTES, PHOTO_SIZES, type PhotoSize } from '../../contract/uploads.ts'
import { getCurrentUser } from '../auth/accounts.ts'
import type { Context } from '../context.ts'
import type { Queryable, Transaction } from '../db/connection.ts'
import { HttpError, signInRequired } from '../http/HttpError.ts'
import type { Integrations } from '../integrations/integrations.ts'
import { type ObjectStore, photoKey } from '../integrations/storage/ObjectStore.ts'
import { deleteUpload, discardUpload, photoUploadKey, type StoredUpload } from './discardUpload.ts'
import { makePhoto } from './makePhoto.ts'

/** The size whose address a profile has; the others are next to it. */
const DEFAULT_SIZE: PhotoSize = 192

/** What storing a photo needs. */
type PhotoContext = Pick<Context, 'db'> & { integrations: Pick<Integrations, 'store'> }

type RunInQueue = <T>(make: () => Promise<T>) => Promise<T>

/** Seconds in which a new photo must be assigned to a profile, or it is deleted. */
const UNUSED_SECONDS = 5 * 60

/**
 * Makes the listener's uploaded picture the profile photo, and deletes the uploaded file. If it is rejected the old
 * photo stays (uploads-11). `runInQueue` runs the processing, one picture at a time.
 * @throws HttpError 400 for an upload that is not the listener's or not a picture, 413 for more than 5 MB
 */
export async function setPhoto(
  context: Context,
  listener: string,
  photoURL: string,
  runInQueue: RunInQueue,
): Promise<CurrentUser> {
  const { db, env, integrations } = context
  const { store } = integrations
  const current = await getCurrentUser(db, listener)
  if (photoURL === current.profileImageUrl) return current
  const key = ownUploadKey(photoURL, listener, [
    env.publicUrl,
    ...(env.bucketOrigin ? [env.bucketOrigin] : []),
  ])
  const [upload] = key
    ? await db<
        StoredUpload[]
      >`select key, upload_id from uploads where key = ${key} and user_id = ${listener} and discarded_at is null`
    : []
  const size = upload && (await store.measure(upload.key))
  if (!upload || size === null || size === undefined) throw notUploaded()
  try {
    if (size > MAX_PHOTO_BYTES) throw new HttpError(413, 'The picture is larger than 5 MB.')
    const photo = await storePhoto(
      context,
      listener,
      upload.key,
      () => readAll(store, upload.key),
      runInQueue,
    )
    await assignPhoto(context, listener, photo)
  } catch (error) {
    // After any other failure the same upload can be retried.
    if (error instanceof HttpError && [400, 413].includes(error.status))
      await discardUpload(db, store, upload)
    throw error
  }
  await discardUpload(db, store, upload)
  return getCurrentUser(db, listener)
}

export async function removePhoto({ db, integrations }: Context, listener: string): Promise<CurrentUser> {
  const [before] = await db<{ photo: string | null }[]>`
    with before as (select id, profile_image_url as photo from users where id = ${listener} for update),
    chosen as (delete from provider_pictures p using before where p.user_id = before.id)
    update users u set profile_image_url = null from before where u.id = before.id returning before.photo`
  const photo = photoIdOf(before?.photo ?? null)
  if (photo) await deleteUpload(db, integrations.store, { key: photoUploadKey(photo), uploadId: null })
  return getCurrentUser(db, listener)
}

/** Whether it is the photo of somebody who is not suspended: files of hidden photos are stored, too (desk-16). */
export async function isShown(db: Queryable, photo: string): Promise<boolean> {
  const [owner] = await db`
    select from uploads p join users u on u.id = p.user_id
    where p.key = ${photoUploadKey(photo)} and u.profile_image_url = ${photoUrl(photo)} and u.suspended_at is null`
  return owner !== undefined
}

/** `uploads/<listener>/…` of an address or a key; null for other addresses and other listeners' uploads. */
function ownUploadKey(photoURL: string, listener: string, origins: string[]): string | null {
  const path = pathAt(photoURL, origins)
  const [, key, owner] = /(?:^|\/)(uploads\/(\d+)\/[\w-]{22})$/.exec(path ?? '') ?? []
  return key && owner === listener ? key : null
}

function pathAt(photoURL: string, origins: string[]): string | null {
  if (!/^https?:/i.test(photoURL)) return photoURL.split('?')[0] ?? ''
  if (!URL.canParse(photoURL)) return null
  const { origin, pathname } = new URL(photoURL)
  return origins.some((own) => new URL(own).origin === origin) ? pathname : null
}

/**
 * Stores the pictures under a unique name, made from their content and their source: the key of an upload, or the
 * address at a sign-in provider. They are written outside of the queue: others do not wait for a bucket that writes slowly.
 * @throws HttpError 400 as `makePhoto`, 401 when the account was deleted meanwhile
 */
export async function storePhoto(
  { db, integrations }: PhotoContext,
  listener: string,
  source: string,
  readContent: () => Promise<Buffer>,
  runInQueue: RunInQueue,
): Promise<string> {
  const { store } = integrations
  const { photo, pictures } = await runInQueue(async () => {
    const content = await readContent()
    const hash = createHash('sha256').update(`${listener} ${source}`).update(content)
    return { photo: hash.digest('base64url'), pictures: await makePhoto(content, PHOTO_SIZES) }
  })
  // The row first: every object in the store has one, and is deleted with it.
  await db`
    insert into uploads (key, user_id, purpose, content_type, size, completed_at, expires_at)
    values (${photoUploadKey(photo)}, ${listener}, 'profile-photo', 'image/webp', ${sizeOf(pictures)}, now(),
      now() + ${UNUSED_SECONDS} * interval '1 second')
    on conflict (key) do update set expires_at = excluded.expires_at`
  for (const [size, picture] of pictures) await store.write(photoKey(photo, size), picture, 'image/webp')
  // Waits for a deletion of the account, whose sweep may be over.
  const [user] = await db`select from users where id = ${listener} for key share`
  if (!user) {
    await deleteUpload(db, store, { key: photoUploadKey(photo), uploadId: null })
    throw signInRequired()
  }
  return photo
}

async function assignPhoto({ db, integrations }: Context, listener: string, photo: string): Promise<void> {
  const before = await db.begin(async (tx) => {
    const [user] = await tx<{ photo: string | null }[]>`
      select profile_image_url as photo from users where id = ${listener} for update`
    if (!user) throw signInRequired()
    const old = photoIdOf(user.photo)
    await tx`delete from provider_pictures where user_id = ${listener}`
    await tx`update users set profile_image_url = ${photoUrl(photo)} where id = ${listener}`
    await tx`update uploads set expires_at = null where key = ${photoUploadKey(photo)}`
    if (old && old !== photo)
      await tx`update uploads set expires_at = now() where key = ${photoUploadKey(old)}`
    return old === photo ? null : old
  })
  if (before) await deleteUpload(db, integrations.store, { key: photoUploadKey(before), uploadId: null })
}

/** Assigns the photo made from a provider's picture, unless the listener has chosen or removed a photo meanwhile. */
export async function assignProviderPhoto(
  { db, integrations }: PhotoContext,
  { userId, address }: { userId: string; address: string },
  photo: string,
): Promise<void> {
  const isAssigned = await db.begin(async (tx) => {
    await tx`select from users where id = ${userId} for update`
    const pending = await tx`
      delete from provider_pictures where user_id = ${userId} and address = ${address}`
    if (pending.count === 0) return false
    await tx`update users set profile_image_url = ${photoUrl(photo)} where id = ${userId}`
    await tx`update uploads set expires_at = null where key = ${photoUploadKey(photo)}`
    return true
  })
  if (!isAssigned) await deleteUpload(db, integrations.store, { key: photoUploadKey(photo), uploadId: null })
}

async function readAll(store: ObjectStore, key: string): Promise<Buffer> {
  const object = await store.read(key)
  if (!object) throw notUploaded()
  const chunks: Buffer[] = []
  for await (const chunk of object.stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Null for a picture that is not stored here. */
const photoIdOf = (url: string | null) => /^\/photos\/([\w-]{43})-\d+\.webp$/.exec(url ?? '')?.[1] ?? null

const photoUrl = (photo: string) => `/photos/${photo}-${DEFAULT_SIZE}.webp`

const sizeOf = (pictures: Map<PhotoSize, Buffer>) =>
  PHOTO_SIZES.reduce((sum, size) => sum + (pictures.get(size)?.length ?? 0), 0)

const notUploaded = () => new HttpError(400, 'photoURL: must be a picture that you have just uploaded')

/** Days for which a hidden photo is stored, so that the decision can be undone (desk-16). */
const HIDDEN_PHOTO_DAYS = 30

/** Hides a profile's photo. Returns its address; null when there is none. */
export async function hidePhoto(tx: Transaction, userId: string): Promise<string | null> {
  const [user] = await tx<{ photo: string | null }[]>`
    select profile_image_url as photo from users where id = ${userId} for no key update`
  if (!user?.photo) return null
  // Otherwise the next sign-in would restore the provider's picture.
  await tx`delete from provider_pictures where user_id = ${userId}`
  await tx`update users set profile_image_url = null where id = ${userId}`
  const photo = photoIdOf(user.photo)
  if (photo)
    await tx`
      update uploads set expires_at = now() + ${HIDDEN_PHOTO_DAYS} * interval '1 day' where key = ${photoUploadKey(photo)}`
  return user.photo
}

/** Shows a hidden photo again. False when its owner has another one, or its file is deleted. */
export async function showHiddenPhoto(tx: Transaction, userId: string, address: string): Promise<boolean> {
  const photo = photoIdOf(address)
  if (photo) {
    const renewed = await tx`update uploads set expires_at = null where key = ${photoUploadKey(photo)}`
    if (renewed.count === 0) return false
  }
  const shown = await tx`
    update users set profile_image_url = ${address} where id = ${userId} and profile_image_url is null`
  return shown.count > 0
}
