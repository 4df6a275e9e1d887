import { z } from 'zod'
import { Email, type ProviderName } from '../../contract/auth.ts'
import { NAME_LENGTH } from '../../contract/profiles.ts'
import { cleanLine } from '../../contract/texts.ts'
import type { Queryable } from '../db/connection.ts'
import type { Person } from '../integrations/signIn/signInProvider.ts'
import { createAccount, findOrCreateAccount } from './accounts.ts'

/** Any number that no other program locks, beside the identity. */
const IDENTITY_LOCK = 7041004

/**
 * The account of a person whom a provider identified. The first time it is the account of the address, if the
 * provider says that the address is theirs, else a new one without an address (D-12). Call it inside a transaction.
 */
export async function findOrCreateByIdentity(
  db: Queryable,
  provider: ProviderName,
  person: Person,
): Promise<string> {
  // Two tabs that come back at once must not make two accounts.
  await db`select pg_advisory_xact_lock(${IDENTITY_LOCK}, hashtext(${`${provider} ${person.subject}`}))`
  const [known] = await db<{ userId: string }[]>`
    select user_id from identities where provider = ${provider} and subject = ${person.subject}`
  const picture = pictureOf(person)
  if (known) {
    if (picture) await refreshPicture(db, known.userId, picture)
    return known.userId
  }
  const email = emailOf(person)
  const profile = { firstName: nameOf(person.firstName), lastName: nameOf(person.lastName), picture }
  const userId =
    email && person.emailVerified
      ? await findOrCreateAccount(db, email, profile)
      : await createAccount(db, null, profile)
  await db`
    insert into identities (provider, subject, user_id, claimed_email)
    values (${provider}, ${person.subject}, ${userId}, ${person.emailVerified ? null : email})`
  return userId
}

/** Addresses of pictures at providers expire. One that the listener put in its place stays. */
async function refreshPicture(db: Queryable, userId: string, picture: string): Promise<void> {
  await db`
    update users set profile_image_url = ${picture}
    where id = ${userId} and profile_image_url <> ${picture}
      and starts_with(profile_image_url, ${`${new URL(picture).origin}/`})`
}

function emailOf({ email }: Person): string | null {
  return z.safeParse(Email, email).data ?? null
}

/** Only over https: it is shown on pages that are. */
function pictureOf({ picture }: Person): string | null {
  if (!picture || picture.length > 2000 || !URL.canParse(picture)) return null
  return new URL(picture).protocol === 'https:' ? picture : null
}

/** As a listener could have typed it. */
function nameOf(given: string | null): string | null {
  const name = cleanLine(given?.replaceAll('\0', ' ') ?? '')
  // Half of a character at the end would be none.
  const cut = name
    .slice(0, NAME_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim()
  return cut === '' ? null : cut
}
