import type { Transaction } from '../db/connection.ts'
import { photoUploadKey } from './discardUpload.ts'
import { photoIdOf } from './setPhoto.ts'

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
