import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Queryable } from '../db/connection.ts'
import { claimOnce } from '../http/limits.ts'

/** What a challenge is for: to sign in, or to add a passkey to an account. */
export type Purpose = 'sign-in' | { addTo: string }

/** Minutes from a challenge to the answer. An e-mail field that suggests passkeys waits that long, too. */
const CHALLENGE_MINUTES = 10

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

/** Bytes: six of the time, the others random. */
const PAYLOAD_BYTES = 32
const PROOF_BYTES = 32

function signPayload(secret: string, purpose: Purpose, payload: Buffer): Buffer {
  const label = purpose === 'sign-in' ? purpose : `add to ${purpose.addTo}`
  return createHmac('sha256', secret).update(`passkey ${label} `).update(payload).digest()
}
