import { z } from 'zod'
import { Email } from '../../contract/email.ts'
import { MAX_NAME_LENGTH } from '../../contract/profiles.ts'
import { cleanLine } from '../../contract/texts.ts'
import { LOCK_KEYS } from '../db/advisoryLocks.ts'
import type { Queryable } from '../db/connection.ts'
import type { ProviderProfile } from '../integrations/signIn/signInProvider.ts'
import { type Admission, type AdmissionRefusal, admitPerson, findAccount } from './accounts.ts'

/**
 * Returns the account of a person whom a provider identified. At the first sign-in that is the account with the
 * same e-mail address if the provider verified it, else a new account without an address (signin-7), if the person is
 * admitted (signin-16, signin-17). `isJoined` tells that the account existed. Ids of persons must be unique within `provider`. Call it inside a transaction.
 */
export async function findOrCreateByIdentity(
  db: Queryable,
  provider: string,
  person: ProviderProfile,
  admission: Admission,
): Promise<{ userId: string; isJoined?: boolean } | { failure: AdmissionRefusal }> {
  // Two tabs that return at the same time must not create two accounts.
  await db`select pg_advisory_xact_lock(${LOCK_KEYS.identity}, hashtext(${`${provider} ${person.subject}`}))`
  const [identity] = await db<{ userId: string }[]>`
    select user_id from identities where provider = ${provider} and subject = ${person.subject}`
  const picture = pictureOf(person)
  if (identity) {
    if (picture) await renewPicture(db, identity.userId, picture)
    return identity
  }
  const email = emailOf(person)
  const verified = person.emailVerified ? email : null
  const account = verified === null ? null : await findAccount(db, verified)
  const profile = { firstName: nameOf(person.firstName), lastName: nameOf(person.lastName), picture }
  const admitted =
    account === null ? await admitPerson(db, verified, admission, profile) : { userId: account }
  if ('failure' in admitted) return admitted
  await db`
    insert into identities (provider, subject, user_id, claimed_email)
    values (${provider}, ${person.subject}, ${admitted.userId}, ${verified === null ? email : null})`
  return { ...admitted, isJoined: account !== null }
}

/** Updates the address of a picture that is not fetched yet, because addresses at providers expire. */
async function renewPicture(db: Queryable, userId: string, picture: string): Promise<void> {
  await db`
    update provider_pictures set address = ${picture}, attempts = 0, next_attempt_at = now()
    where user_id = ${userId} and (address <> ${picture} or next_attempt_at = 'infinity')`
}

function emailOf({ email }: ProviderProfile): string | null {
  return z.safeParse(Email, email).data ?? null
}

function pictureOf({ picture }: ProviderProfile): string | null {
  if (!picture || picture.length > 2000 || !URL.canParse(picture)) return null
  return /^https?:$/.test(new URL(picture).protocol) ? picture : null
}

/** Trimmed and shortened like a name that a listener types. */
function nameOf(rawName: string | null): string | null {
  const name = cleanLine(rawName?.replaceAll('\0', ' ') ?? '')
  // Half of a surrogate pair at the end would be invalid.
  const shortened = name
    .slice(0, MAX_NAME_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim()
  return shortened === '' ? null : shortened
}
