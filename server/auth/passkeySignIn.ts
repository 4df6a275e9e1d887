import type { Body } from '../../contract/endpoint.ts'
import type { signInWithPasskey as endpoint } from '../../contract/passkeys.ts'
import type { Context } from '../context.ts'
import { HttpError } from '../http/HttpError.ts'
import { isOwnChallenge, useChallenge } from './passkeyChallenge.ts'
import { TOO_LATE } from './passkeys.ts'
import { createSession } from './sessions.ts'
import { isSignedBy, readCeremony, siteOf } from './verifyPasskey.ts'

/**
 * Signs in whoever used their passkey. It never creates an account. Returns the session's token.
 * @throws HttpError 404 for an unknown passkey, 403 for a suspended account, 409 when the challenge is too old or was
 * answered before, or the passkey may have been copied, 400 for anything else.
 */
export async function signInByPasskey(
  { db, env, secret, log }: Context,
  { id, response }: Body<typeof endpoint>,
  userAgent: string | null,
): Promise<string> {
  const signed = {
    clientDataJSON: Buffer.from(response.clientDataJSON, 'base64url'),
    authenticatorData: Buffer.from(response.authenticatorData, 'base64url'),
    signature: Buffer.from(response.signature, 'base64url'),
  }
  const used = readCeremony('webauthn.get', signed.clientDataJSON, signed.authenticatorData, siteOf(env))
  if (!used) throw new HttpError(400, NOT_CONFIRMED)
  const { challenge, counter } = used
  if (!isOwnChallenge(secret, 'sign-in', challenge)) throw new HttpError(409, TOO_LATE)
  const credentialId = Buffer.from(id, 'base64url')
  const userHandle = Buffer.from(response.userHandle, 'base64url')
  const [passkey] = await db<{ publicKey: Buffer }[]>`
    select public_key from passkeys where credential_id = ${credentialId} and user_handle = ${userHandle}`
  if (!passkey) throw new HttpError(404, UNKNOWN)
  if (!isSignedBy(passkey.publicKey, signed)) throw new HttpError(400, NOT_CONFIRMED)
  return db.begin(async (tx) => {
    if (!(await useChallenge(tx, challenge))) throw new HttpError(409, TOO_LATE)
    const [owner] = await tx<{ userId: string; counted: boolean }[]>`
      select user_id, counter < ${counter} or counter = 0 and ${counter === 0} as counted
      from passkeys where credential_id = ${credentialId} for update`
    if (!owner) throw new HttpError(404, UNKNOWN)
    if (!owner.counted) {
      log.warn('a passkey was refused because its counter did not rise: there may be a copy of it')
      throw new HttpError(409, COPIED)
    }
    await tx`
      update passkeys set counter = ${counter}, last_used_at = now() where credential_id = ${credentialId}`
    const session = await createSession(tx, owner.userId, userAgent)
    if (session === null) throw new HttpError(403, SUSPENDED)
    return session
  })
}

const NOT_CONFIRMED = 'This passkey could not be confirmed. Please try again, or use another way to sign in.'
const UNKNOWN = 'This passkey is not known here. It may have been removed. Please use another way to sign in.'
const COPIED =
  'There seems to be a copy of this passkey. Please use another way to sign in, and remove this passkey in your profile.'
const SUSPENDED = 'This account is suspended. Nobody can sign in to it right now.'
