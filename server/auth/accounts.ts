import type { CurrentUser } from '../../contract/auth.ts'
import type { Queryable } from '../db/connection.ts'
import { followCounts } from '../db/followCounts.ts'
import type { Env } from '../env.ts'
import { signInRequired } from '../http/HttpError.ts'
import { claimInvitationUse, releaseInvitationUse } from './invitations.ts'
import { readableEmail } from './maskEmail.ts'

/** @throws HttpError 401 when the account was just deleted. */
export async function getCurrentUser(db: Queryable, userId: string): Promise<CurrentUser> {
  const [user] = await db<(Omit<CurrentUser, 'createdAt'> & { createdAt: Date })[]>`
    select u.id, u.first_name, u.last_name, u.email, u.profile_image_url, u.bio, u.is_public, u.show_email,
      u.email_opt_out, u.start_at_hook, u.ear_first, coalesce(s.song_choice, 'both') as song_choice, u.created_at,
      ${followCounts(db)}
    from users u left join listener_stats s on s.user_id = u.id where u.id = ${userId}`
  if (!user) throw signInRequired()
  return { ...user, email: readableEmail(user.email), createdAt: user.createdAt.toISOString() }
}

/** Profile of a new listener, as the provider gave it. */
export interface NewProfile {
  firstName: string | null
  lastName: string | null
  /** The picture's address at the provider, from which the server fetches it (uploads-13). */
  picture: string | null
}

/** Who may get an account. */
export interface Admission {
  registration: Env['REGISTRATION']
  /** Id of the invitation that the person opened, in any state. */
  invitation: string | null
}

/** Why somebody gets no account (signin-16, signin-19). */
export type AdmissionRefusal = 'not-invited' | 'invitation-needed' | 'invitation-over'

const EMPTY_PROFILE: NewProfile = { firstName: null, lastName: null, picture: null }

export async function findAccount(db: Queryable, email: string): Promise<string | null> {
  const [existing] = await db<{ id: string }[]>`select id from users where email = ${email}`
  return existing?.id ?? null
}

/**
 * Returns the account of a verified e-mail address and creates it at the first sign-in (signin-11). An existing
 * account keeps its profile. Call it inside a transaction.
 */
export async function findOrCreateAccount(db: Queryable, email: string): Promise<string> {
  return (await findAccount(db, email)) ?? (await createAccount(db, email, EMPTY_PROFILE, null)).id
}

/**
 * Creates an account if the instance admits the person. Each use of an invitation creates one account (signin-17).
 * Call it inside a transaction.
 */
export async function admitPerson(
  tx: Queryable,
  email: string | null,
  { registration, invitation }: Admission,
  profile = EMPTY_PROFILE,
): Promise<{ userId: string } | { failure: AdmissionRefusal }> {
  if (registration === 'open') return { userId: (await createAccount(tx, email, profile, null)).id }
  if (registration === 'closed') return { failure: 'not-invited' }
  if (invitation === null) return { failure: 'invitation-needed' }
  if (!(await claimInvitationUse(tx, invitation))) {
    // The last use may have been their own, in another tab, a moment ago.
    const existing = email === null ? null : await findAccount(tx, email)
    return existing === null ? { failure: 'invitation-over' } : { userId: existing }
  }
  const { id, isNew } = await createAccount(tx, email, profile, invitation)
  if (!isNew) await releaseInvitationUse(tx, invitation)
  return { userId: id }
}

/**
 * Creates an account with its stats row, which every rating locks. Returns the existing one if the address was taken
 * meanwhile.
 */
async function createAccount(
  db: Queryable,
  email: string | null,
  { firstName, lastName, picture }: NewProfile,
  invitation: string | null,
): Promise<{ id: string; isNew: boolean }> {
  const [created] = await db<{ id: string }[]>`
    insert into users (email, first_name, last_name, invitation_id)
    values (${email}, ${firstName}, ${lastName}, ${invitation})
    on conflict (email) do update set email = excluded.email
    returning id`
  if (!created) throw new Error('An upsert returned no row.')
  const insertedStats =
    await db`insert into listener_stats (user_id) values (${created.id}) on conflict do nothing`
  const isNew = insertedStats.count > 0
  if (picture && isNew)
    await db`insert into provider_pictures (user_id, address) values (${created.id}, ${picture})`
  return { id: created.id, isNew }
}
