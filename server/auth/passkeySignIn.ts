import type { Body } from '../../contract/endpoint.ts'
import type { signInWithPasskey as endpoint } from '../../contract/passkeys.ts'
import type { Context } from '../context.ts'
import { HttpError } from '../http/HttpError.ts'
import { consumeChallenge, isOwnChallenge } from './passkeyChallenge.ts'
import { createSession } from './sessions.ts'
import { CHALLENGE_EXPIRED, passkeySite, verifyAuthentication } from './verifyPasskey.ts'

/**
 * Signs in with a passkey. It never creates an account. Returns the session's token.
 * @throws HttpError 404 for an unknown passkey, 403 for a suspended account, 409 when the challenge is too old or was
 * answered before, or the passkey may have been copied, 400 for anything else.
 */
export async function signInByPasskey(
  { db, env, secret, log }: Context,
  body: Body<typeof endpoint>,
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
    const [owner] = await tx<{ userId: string; counted: boolean }[]>`
      select user_id, counter < ${counter} or counter = 0 and ${counter === 0} as counted
      from passkeys where credential_id = ${credentialId} for update`
    if (!owner) throw new HttpError(404, UNKNOWN_PASSKEY)
    if (!owner.counted) {
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

const UNKNOWN_PASSKEY =
  'This passkey is not known here. It may have been removed. Please use another way to sign in.'
const COPIED_PASSKEY =
  'There seems to be a copy of this passkey. Please use another way to sign in, and remove this passkey in your profile.'
const SUSPENDED_ACCOUNT = 'This account is suspended. Nobody can sign in to it right now.'
