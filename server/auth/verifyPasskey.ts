import { createHmac, createPublicKey, randomBytes, timingSafeEqual } from 'node:crypto'
import type { BodyOf } from '../../contract/endpoint.ts'
import { type addPasskey, isHostName, type signInWithPasskey } from '../../contract/passkeys.ts'
import type { Queryable } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { claimOnce } from '../http/limits/limits.ts'

/** The site that a passkey belongs to. Its `rpId` is a host name (WebAuthn §4). */
export interface PasskeySite {
  origin: string
  rpId: string
}

/** A verified use of a passkey. The caller must consume its challenge. */
interface Ceremony {
  challenge: string
  /** How often the passkey was used; 0 where it does not count. */
  counter: number
}

/** Passkeys follow PUBLIC_URL, without its path, and never a Host header. */
export function passkeySite({ publicUrl }: { publicUrl: string }): PasskeySite {
  const { origin, hostname } = new URL(publicUrl)
  return { origin, rpId: hostname }
}

/**
 * Whether browsers allow passkeys for a site: at https addresses and localhost, and not for IP addresses (WebAuthn
 * §5.1.3, Secure Contexts §3.1).
 */
export function canHavePasskeys({ origin, rpId }: PasskeySite): boolean {
  const isLocal = rpId === 'localhost' || rpId.endsWith('.localhost')
  return (origin.startsWith('https:') || isLocal) && isHostName(rpId)
}

/** Accepted signature algorithms by their COSE numbers: ES256, which is usual, and RS256. */
export const ALGORITHMS = [-7, -257]

/**
 * Verifies a passkey that the browser made. Without attestation, only later sign-ins prove that somebody has its key.
 * @throws HttpError 409 when the challenge is not the server's own, 400 for anything else.
 */
export function verifyRegistration(
  site: PasskeySite,
  { id, response }: BodyOf<typeof addPasskey>,
  isOwn: (challenge: string) => boolean,
): Promise<Ceremony & { publicKey: Uint8Array }> {
  return rejectInvalid(NOT_USABLE, async () => {
    const expected = readExpected(site, response.clientDataJSON, isOwn)
    const { verifyRegistrationResponse } = await loadWebauthn()
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expected,
      response: { ...credentialFields(id), response },
      supportedAlgorithmIDs: ALGORITHMS,
    })
    const newCredential = registrationInfo?.credential
    if (newCredential?.id !== id) throw new Error('The id differs from the signed one.')
    return {
      challenge: expected.expectedChallenge,
      counter: newCredential.counter,
      publicKey: newCredential.publicKey,
    }
  })
}

/**
 * Verifies a use of a passkey, but not that its counter rose: for that, its row must be locked.
 * @throws HttpError 409 when the challenge is not the server's own, 400 for anything else.
 */
export function verifyAuthentication(
  site: PasskeySite,
  { id, response }: BodyOf<typeof signInWithPasskey>,
  isOwn: (challenge: string) => boolean,
  readPublicKey: () => Promise<Buffer>,
): Promise<Ceremony> {
  return rejectInvalid(NOT_CONFIRMED, async () => {
    const expected = readExpected(site, response.clientDataJSON, isOwn)
    const [{ verifyAuthenticationResponse }, publicKey] = await Promise.all([loadWebauthn(), readPublicKey()])
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response: { ...credentialFields(id), response },
      credential: { id, publicKey: await toCose(publicKey), counter: 0 },
    })
    if (!verified) throw new Error('The signature is wrong.')
    return { challenge: expected.expectedChallenge, counter: authenticationInfo.newCounter }
  })
}

const loadWebauthn = () => import('@simplewebauthn/server')

/** Loading takes most of a second, so it begins when the server starts. */
export const preloadWebauthn = () => void loadWebauthn().catch(() => {})

/**
 * The values that the library must find. Refuses frames of other sites, which the library misses in browsers that
 * omit their origin.
 */
function readExpected(
  { origin, rpId }: PasskeySite,
  clientDataJSON: string,
  isOwn: (challenge: string) => boolean,
) {
  const { challenge, crossOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
  if (typeof challenge !== 'string' || crossOrigin) throw new Error('The passkey was used on another site.')
  if (!isOwn(challenge)) throw new HttpError(409, CHALLENGE_EXPIRED)
  return { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpId }
}

const credentialFields = (id: string) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
})

async function rejectInvalid<T>(message: string, verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (error) {
    throw error instanceof HttpError ? error : new HttpError(400, message)
  }
}

/** Keys of version 0.1 are stored as SubjectPublicKeyInfo, a DER sequence. */
async function toCose(publicKey: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  if (publicKey[0] !== 0x30) return new Uint8Array(publicKey)
  const { isoCBOR } = await import('@simplewebauthn/server/helpers')
  const jwk = createPublicKey({ key: publicKey, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  const bytes = (text = '') => new Uint8Array(Buffer.from(text, 'base64url'))
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>(
      jwk.kty === 'RSA'
        ? [
            [1, 3],
            [3, -257],
            [-1, bytes(jwk.n)],
            [-2, bytes(jwk.e)],
          ]
        : [
            [1, 2],
            [3, -7],
            [-1, 1],
            [-2, bytes(jwk.x)],
            [-3, bytes(jwk.y)],
          ],
    ),
  )
}

/** What a challenge is for: to sign in, or to add a passkey to an account. */
type Purpose = 'sign-in' | { addTo: string }

/** Minutes until a challenge expires. An e-mail field that suggests passkeys waits that long, too. */
const CHALLENGE_MINUTES = 10

/** Bytes: six of the time, the others random. */
const PAYLOAD_BYTES = 32
const PROOF_BYTES = 32

/** A random challenge that expires. It is signed, not stored, so that opening the sign-in screen writes nothing. */
export function newChallenge(secret: string, purpose: Purpose): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES)
  payload.writeUIntBE(Date.now() + CHALLENGE_MINUTES * 60_000, 0, 6)
  randomBytes(PAYLOAD_BYTES - 6).copy(payload, 6)
  return Buffer.concat([payload, signPayload(secret, purpose, payload)]).toString('base64url')
}

/** Whether this server gave the challenge for this purpose, and it has not expired. */
export function isOwnChallenge(secret: string, purpose: Purpose, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  // Another spelling of the same bytes could be used a second time.
  if (bytes.length !== PAYLOAD_BYTES + PROOF_BYTES || bytes.toString('base64url') !== challenge) return false
  if (bytes.readUIntBE(0, 6) <= Date.now()) return false
  return timingSafeEqual(
    bytes.subarray(PAYLOAD_BYTES),
    signPayload(secret, purpose, bytes.subarray(0, PAYLOAD_BYTES)),
  )
}

/** False when the challenge was used before. Call it in the transaction that uses it. */
export function consumeChallenge(tx: Queryable, challenge: string): Promise<boolean> {
  return claimOnce(tx, 'passkey-challenge', challenge, CHALLENGE_MINUTES * 60)
}

function signPayload(secret: string, purpose: Purpose, payload: Buffer): Buffer {
  const label = purpose === 'sign-in' ? purpose : `add to ${purpose.addTo}`
  return createHmac('sha256', secret).update(`passkey ${label} `).update(payload).digest()
}

export const CHALLENGE_EXPIRED = 'This took too long, or was sent twice. Please try again.'
const NOT_USABLE = 'This passkey cannot be used here. Please try again, or use another device.'
const NOT_CONFIRMED = 'This passkey could not be confirmed. Please try again, or use another way to sign in.'
