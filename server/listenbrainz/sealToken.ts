import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'

/** Whose token it is, and at which address: for anything else it cannot be opened. */
interface Owner {
  listener: string
  service: string
}

const METHODS = { alg: 'dir', enc: 'A256GCM' } as const

/** Encrypts a token for the database with a key that only the server's secret yields (RFC 7516). */
export const sealToken = (secret: string, { listener, service }: Owner, token: string): Promise<string> =>
  new EncryptJWT({ token })
    .setProtectedHeader(METHODS)
    .setSubject(listener)
    .setAudience(service)
    .encrypt(keyOf(secret))

/** Null when the secret is another one by now, or the token is another listener's or another service's. */
export async function openToken(
  secret: string,
  { listener, service }: Owner,
  sealed: string,
): Promise<string | null> {
  const options = {
    subject: listener,
    audience: service,
    keyManagementAlgorithms: [METHODS.alg],
    contentEncryptionAlgorithms: [METHODS.enc],
  }
  const opened = await jwtDecrypt<{ token: string }>(sealed, keyOf(secret), options).catch(() => null)
  return opened?.payload.token ?? null
}

const keyOf = (secret: string) => new Uint8Array(hkdfSync('sha256', secret, '', 'tokens of ListenBrainz', 32))
