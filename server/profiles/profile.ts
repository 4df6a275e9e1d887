import type { CurrentUser } from '../../contract/auth.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { Profile, updateProfile as updateProfileEndpoint } from '../../contract/profiles.ts'
import { getCurrentUser } from '../auth/accounts.ts'
import { readableEmail } from '../auth/maskEmail.ts'
import type { Database, Queryable, Transaction } from '../db/connection.ts'
import { followCounts } from '../db/followCounts.ts'
import { HttpError } from '../http/HttpError.ts'

export type ProfileRow = Omit<Profile, 'createdAt'> & { createdAt: Date }

/** Only the owner sees an address, or others if the owner shows it on a public profile (people-3). */
export const profileColumns = (db: Queryable, viewer: string) => db`
  u.id, u.first_name, u.last_name, u.profile_image_url, u.bio, u.is_public, u.created_at, ${followCounts(db)},
  case when u.id = ${viewer} or (u.is_public and u.show_email) then u.email end as email`

/** @throws HttpError 404 for another listener's private profile, as for an unknown id (people-2). */
export async function getProfile(db: Queryable, viewer: string, id: string): Promise<Profile> {
  const [row] = await db<ProfileRow[]>`
    select ${profileColumns(db, viewer)} from users u
    where u.id = ${id} and (u.is_public or u.id = ${viewer}) and u.suspended_at is null`
  if (!row) throw noSuchListener()
  return toProfile(row)
}

type ProfileChange = BodyOf<typeof updateProfileEndpoint>

/** Changes the given fields; a blank text becomes null. Returns the listener. */
export async function updateProfile(
  db: Database,
  listener: string,
  { songChoice, ...change }: ProfileChange,
): Promise<CurrentUser> {
  const columns = Object.entries(change).map(
    ([field, value]) =>
      db`${db(PROFILE_COLUMNS[field as keyof typeof PROFILE_COLUMNS])} = ${blankToNull(value)}`,
  )
  return db.begin(async (tx) => {
    // In the order in which the deletion of an account locks them.
    if (songChoice)
      await tx`update listener_stats set song_choice = ${songChoice} where user_id = ${listener}`
    if (columns.length > 0)
      await tx`update users set ${columns.reduce((list, one) => tx`${list}, ${one}`)} where id = ${listener}`
    return getCurrentUser(tx, listener)
  })
}

const PROFILE_COLUMNS = {
  bio: 'bio',
  isPublic: 'is_public',
  showEmail: 'show_email',
  emailOptOut: 'email_opt_out',
  startAtHook: 'start_at_hook',
  earFirst: 'ear_first',
  firstName: 'first_name',
  lastName: 'last_name',
} satisfies Record<keyof Omit<ProfileChange, 'songChoice'>, string>

const blankToNull = (value: string | boolean | null | undefined) =>
  typeof value === 'string' && value.trim() === '' ? null : (value ?? null)

export const noSuchListener = () => new HttpError(404, 'There is no such listener.')

export const toProfile = (row: ProfileRow): Profile => ({
  ...row,
  email: readableEmail(row.email),
  createdAt: row.createdAt.toISOString(),
})

/** Removes a bio (desk-16). Returns it; null when there is none. */
export async function clearBio(tx: Transaction, userId: string): Promise<string | null> {
  const [user] = await tx<{ bio: string | null }[]>`
    select bio from users where id = ${userId} for no key update`
  await tx`update users set bio = null where id = ${userId}`
  return user?.bio ?? null
}

/** Restores a removed bio. False when its owner has written another one. */
export async function restoreBio(tx: Transaction, userId: string, bio: string): Promise<boolean> {
  const restored = await tx`update users set bio = ${bio} where id = ${userId} and bio is null`
  return restored.count > 0
}
