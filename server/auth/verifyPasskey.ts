import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'
import { isHostName } from '../../contract/passkeys.ts'

/** The site that a passkey belongs to. Its `rpId` is a host name (WebAuthn §4). */
export interface Site {
  origin: string
  rpId: string
}

/** What the browser and the authenticator say of one use of a passkey. */
export interface Ceremony {
  challenge: string
  /** How often the passkey was used; 0 where it does not count. */
  counter: number
  /** Of a new passkey. */
  credentialId: Buffer | null
}

/** Passkeys follow PUBLIC_URL, without its path, and never a Host header. */
export function siteOf({ publicUrl }: { publicUrl: string }): Site {
  const { origin, hostname } = new URL(publicUrl)
  return { origin, rpId: hostname }
}

/**
 * Whether browsers allow passkeys for a site: at https addresses and localhost, and not for IP addresses (WebAuthn
 * §5.1.3, Secure Contexts §3.1).
 */
export function canHavePasskeys({ origin, rpId }: Site): boolean {
  const isLocal = rpId === 'localhost' || rpId.endsWith('.localhost')
  return (origin.startsWith('https:') || isLocal) && isHostName(rpId)
}

/**
 * Reads what the browser sends after it made (`webauthn.create`) or used (`webauthn.get`) a passkey, and checks all of
 * it but the challenge and the signature (WebAuthn §7.1 and §7.2). Null when something is wrong. Nothing of it is
 * signed for a new passkey: without attestation, only later sign-ins prove that somebody has its key.
 */
export function readCeremony(
  type: 'webauthn.create' | 'webauthn.get',
  clientDataJSON: Buffer,
  authenticatorData: Buffer,
  site: Site,
): Ceremony | null {
  const client = readClientData(clientDataJSON)
  if (client?.type !== type || client.origin !== site.origin || client.crossOrigin) return null
  if (authenticatorData.length < HEAD) return null
  if (!authenticatorData.subarray(0, 32).equals(hash('sha256', site.rpId, 'buffer'))) return null
  const flags = authenticatorData.readUInt8(32)
  const needed = FLAGS.userPresent | FLAGS.userVerified | (type === 'webauthn.create' ? FLAGS.credential : 0)
  if ((flags & needed) !== needed) return null
  // What is backed up could be backed up in the first place.
  if (flags & FLAGS.isBackedUp && !(flags & FLAGS.canBeBackedUp)) return null
  const credentialId = type === 'webauthn.create' ? readCredentialId(authenticatorData) : null
  if (credentialId?.length === 0) return null
  return { challenge: client.challenge, counter: authenticatorData.readUInt32BE(33), credentialId }
}

/** The signatures that passkeys are asked for, by their COSE numbers: ES256, which is usual, and RS256. */
export const ALGORITHMS = [-7, -257]

/** Reads a public key in SubjectPublicKeyInfo. Null unless it is a P-256 or RSA key. */
export function readPublicKey(bytes: Buffer): KeyObject | null {
  try {
    const key = createPublicKey({ key: bytes, format: 'der', type: 'spki' })
    const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
    const isEs256 = key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1'
    const isRs256 = key.asymmetricKeyType === 'rsa' && modulusLength >= 2048 && modulusLength <= 4096
    return isEs256 || isRs256 ? key : null
  } catch {
    return null
  }
}

interface Signed {
  clientDataJSON: Buffer
  authenticatorData: Buffer
  signature: Buffer
}

/** Whether the owner of the key signed this use of it (WebAuthn §7.2, steps 20 and 21). */
export function isSignedBy(
  publicKey: Buffer,
  { clientDataJSON, authenticatorData, signature }: Signed,
): boolean {
  const key = readPublicKey(publicKey)
  if (!key) return false
  return verify(
    'sha256',
    Buffer.concat([authenticatorData, hash('sha256', clientDataJSON, 'buffer')]),
    key,
    signature,
  )
}

const FLAGS = {
  userPresent: 0x01,
  userVerified: 0x04,
  canBeBackedUp: 0x08,
  isBackedUp: 0x10,
  credential: 0x40,
}

/** Bytes before the data of a new passkey: the hash of the site, the flags and the counter (WebAuthn §6.1). */
const HEAD = 37

/** After the head: 16 bytes of the authenticator's model, two of a length, and the id (WebAuthn §6.5.1). */
function readCredentialId(authenticatorData: Buffer): Buffer {
  if (authenticatorData.length < HEAD + 18) return Buffer.alloc(0)
  const end = HEAD + 18 + authenticatorData.readUInt16BE(HEAD + 16)
  return authenticatorData.length < end ? Buffer.alloc(0) : authenticatorData.subarray(HEAD + 18, end)
}

function readClientData(bytes: Buffer): z.infer<typeof ClientData> | null {
  try {
    return ClientData.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null
  } catch {
    return null
  }
}

/** WebAuthn §5.8.1; it may have more members. */
const ClientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().default(false),
})
