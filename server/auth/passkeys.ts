import { createHmac } from 'node:crypto'
import type { ProviderName } from '../../contract/auth.ts'
import type { BodyOf, ResponseOf } from '../../contract/endpoint.ts'
import {
  type addPasskey as addPasskeyEndpoint,
  type getPasskeyOptions,
  MAX_PASSKEYS,
  type Passkey,
  type signInWithPasskey,
} from '../../contract/passkeys.ts'
import { sharerName } from '../../contract/sharing.ts'
import type { Context } from '../context.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { HttpError, signInRequired } from '../http/HttpError.ts'
import { getCurrentUser } from './accounts.ts'
import { mailNewWay } from './mailNewWay.ts'
import { parseUserAgent } from './parseUserAgent.ts'
import { identityNamespace } from './providerSignIn.ts'
import { createSession } from './sessions.ts'
import {
  ALGORITHMS,
  CHALLENGE_EXPIRED,
  consumeChallenge,
  isOwnChallenge,
  newChallenge,
  passkeySite,
  verifyAuthentication,
  verifyRegistration,
} from './verifyPasskey.ts'

interface PasskeyRow {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

/** The listener's passkeys, the newest first. */
export async function listPasskeys(db: Queryable, userId: string): Promise<Passkey[]> {
  const rows = await db<PasskeyRow[]>`
    select id, name, created_at, last_used_at from passkeys where user_id = ${userId} order by id desc`
  return rows.map(toPasskey)
}

/** What the browser needs to make a passkey, which must be discoverable and verify its user (signin-22). */
export async function passkeyOptions(
  { db, env, secret }: Context,
  userId: string,
): Promise<ResponseOf<typeof getPasskeyOptions>> {
  const user = await getCurrentUser(db, userId)
  const existing = await db<{ credentialId: Buffer; transports: string[] }[]>`
    select credential_id, transports from passkeys where user_id = ${userId} order by id`
  const handle = await userHandleOf(db, secret, userId)
  const hasName = user.firstName !== null || user.lastName !== null
  const name = hasName || user.email === null ? sharerName(user) : user.email
  return {
    challenge: newChallenge(secret, { addTo: userId }),
    rp: { id: passkeySite(env).rpId, name: 'Banger or Bust' },
    user: { id: handle.toString('base64url'), name: user.email ?? name, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: existing.map(({ credentialId, transports }) => ({
      type: 'public-key',
      id: credentialId.toString('base64url'),
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

/**
 * Adds a passkey that was made with `passkeyOptions`, named after the browser.
 * @throws HttpError 400 for an invalid passkey, 409 for a challenge that has expired or was used, a passkey that was
 * added before, or too many passkeys.
 */
export async function addPasskey(
  context: Context,
  userId: string,
  userAgent: string | null,
  body: BodyOf<typeof addPasskeyEndpoint>,
): Promise<Passkey> {
  const { db, env, secret } = context
  const { challenge, counter, publicKey } = await verifyRegistration(passkeySite(env), body, (received) =>
    isOwnChallenge(secret, { addTo: userId }, received),
  )
  const passkey = await db.begin(async (tx) => {
    // Two tabs must not exceed the limit together.
    const owner = await tx`select from users where id = ${userId} for no key update`
    if (owner.count === 0) throw signInRequired()
    if (!(await consumeChallenge(tx, challenge))) throw new HttpError(409, CHALLENGE_EXPIRED)
    if ((await listPasskeys(tx, userId)).length >= MAX_PASSKEYS)
      throw new HttpError(409, `You can have ${MAX_PASSKEYS} passkeys. Remove one that you do not use.`)
    const [added] = await tx<PasskeyRow[]>`
      insert into passkeys (credential_id, user_id, user_handle, public_key, counter, transports, name)
      values (${Buffer.from(body.id, 'base64url')}, ${userId}, ${await userHandleOf(tx, secret, userId)},
        ${Buffer.from(publicKey)}, ${counter}, ${body.response.transports ?? []}, ${parseUserAgent(userAgent).device})
      on conflict (credential_id) do nothing
      returning id, name, created_at, last_used_at`
    if (!added) throw new HttpError(409, 'This passkey was added before.')
    return toPasskey(added)
  })
  await mailNewWay(context, userId, `A passkey was added: ${passkey.name}.`)
  return passkey
}

/** @throws HttpError 404 when the listener has no such passkey. */
export async function renamePasskey(
  db: Database,
  userId: string,
  id: string,
  name: string,
): Promise<Passkey> {
  const [renamed] = await db<PasskeyRow[]>`
    update passkeys set name = ${name} where id = ${id} and user_id = ${userId}
    returning id, name, created_at, last_used_at`
  if (!renamed) throw new HttpError(404, NO_SUCH_PASSKEY)
  return toPasskey(renamed)
}

/**
 * @throws HttpError 404 when the listener has no such passkey, 409 when they could not sign in by themselves without
 * it (signin-25).
 */
export async function removePasskey(context: Context, userId: string, id: string): Promise<void> {
  await context.db.begin(async (tx) => {
    // Two tabs must not remove the last two.
    await tx`select from users where id = ${userId} for no key update`
    const own = await listPasskeys(tx, userId)
    if (!own.some((passkey) => passkey.id === id)) throw new HttpError(404, NO_SUCH_PASSKEY)
    if (own.length === 1 && !(await canSignInOtherwise(tx, context, userId)))
      throw new HttpError(409, 'This passkey is your only way to sign in here. Add another one first.')
    await tx`delete from passkeys where id = ${id} and user_id = ${userId}`
  })
}

/** @throws HttpError 409 when the listener could not sign in by themselves without them (signin-25). */
export async function removeAllPasskeys(context: Context, userId: string): Promise<void> {
  await context.db.begin(async (tx) => {
    await tx`select from users where id = ${userId} for no key update`
    const removed = await tx`delete from passkeys where user_id = ${userId}`
    if (removed.count > 0 && !(await canSignInOtherwise(tx, context, userId)))
      throw new HttpError(409, 'Your passkeys are your only way to sign in here.')
  })
}

/**
 * Signs in with a passkey. It never creates an account. Returns the session's token.
 * @throws HttpError 404 for an unknown passkey, 403 for a suspended account, 409 when the challenge has expired or was
 * used, or the passkey may have been copied, 400 for anything else.
 */
export async function signInByPasskey(
  { db, env, secret, log }: Context,
  body: BodyOf<typeof signInWithPasskey>,
  userAgent: string | null,
): Promise<string> {
  const credentialId = Buffer.from(body.id, 'base64url')
  const userHandle = Buffer.from(body.response.userHandle, 'base64url')
  const isOwn = (received: string) => isOwnChallenge(secret, 'sign-in', received)
  const { challenge, counter } = await verifyAuthentication(passkeySite(env), body, isOwn, async () => {
    const [passkey] = await db<{ publicKey: Buffer }[]>`
      select public_key from passkeys where credential_id = ${credentialId} and user_handle = ${userHandle}`
    if (!passkey) throw new HttpError(404, UNKNOWN_PASSKEY)
    return passkey.publicKey
  })
  return db.begin(async (tx) => {
    if (!(await consumeChallenge(tx, challenge))) throw new HttpError(409, CHALLENGE_EXPIRED)
    const [owner] = await tx<{ userId: string; isCounterValid: boolean }[]>`
      select user_id, counter < ${counter} or counter = 0 and ${counter === 0} as is_counter_valid
      from passkeys where credential_id = ${credentialId} for update`
    if (!owner) throw new HttpError(404, UNKNOWN_PASSKEY)
    if (!owner.isCounterValid) {
      log.warn('a passkey was refused because its counter did not rise: there may be a copy of it')
      throw new HttpError(409, COPIED_PASSKEY)
    }
    await tx`
      update passkeys set counter = ${counter}, last_used_at = now() where credential_id = ${credentialId}`
    const session = await createSession(tx, owner.userId, userAgent)
    if (session === null) throw new HttpError(403, SUSPENDED_ACCOUNT)
    return session
  })
}

/** By a mailed link, or with a provider that they signed in with before. */
async function canSignInOtherwise(
  tx: Queryable,
  { env, integrations }: Context,
  userId: string,
): Promise<boolean> {
  const { email } = await getCurrentUser(tx, userId)
  if (email !== null && (env.SMTP_URL || !env.production)) return true
  const { signIn } = integrations
  const names = (Object.keys(signIn) as ProviderName[]).filter((name) => signIn[name])
  const providers = names.map((name) => identityNamespace(env, name))
  const [way] = await tx`
    select from identities where user_id = ${userId} and provider = any(${providers}::text[]) limit 1`
  return way !== undefined
}

/**
 * The account's id for authenticators. It reveals nothing (WebAuthn §14.6.1) and is the same for all of its passkeys,
 * also after the secret has changed.
 */
async function userHandleOf(db: Queryable, secret: string, userId: string): Promise<Buffer> {
  const [existing] = await db<{ userHandle: Buffer }[]>`
    select user_handle from passkeys where user_id = ${userId} limit 1`
  return existing?.userHandle ?? createHmac('sha256', secret).update(`passkey user ${userId}`).digest()
}

function toPasskey({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}

const NO_SUCH_PASSKEY = 'There is no such passkey.'
const UNKNOWN_PASSKEY =
  'This passkey is not known here. It may have been removed. Please use another way to sign in.'
const COPIED_PASSKEY =
  'There seems to be a copy of this passkey. Please use another way to sign in, and remove this passkey in your profile.'
const SUSPENDED_ACCOUNT = 'This account is suspended. Nobody can sign in to it right now.'
