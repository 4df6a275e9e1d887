import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Queryable } from '../db/connection.ts'
import { takeOnce } from '../http/limits.ts'

/** What a challenge is for: to sign in, or to add a passkey to an account. */
export type Purpose = 'sign-in' | { addTo: string }

/** Minutes from a challenge to the answer. An e-mail field that suggests passkeys waits that long, too. */
const CHALLENGE_MINUTES = 10

/**
 * A random challenge that expires. It carries its own proof, like the attempt of a sign-in at a provider, so that only
 * those that were answered are stored: opening the sign-in screen writes nothing.
 */
export function newChallenge(secret: string, purpose: Purpose): string {
  const mark = Buffer.alloc(PAYLOAD_BYTES)
  mark.writeUIntBE(Date.now() + CHALLENGE_MINUTES * 60_000, 0, 6)
  randomBytes(PAYLOAD_BYTES - 6).copy(mark, 6)
  return Buffer.concat([mark, proofOf(secret, purpose, mark)]).toString('base64url')
}

/** Whether this server gave the challenge for this purpose, and it has not expired. */
export function isOwnChallenge(secret: string, purpose: Purpose, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  // One challenge has one spelling, by which it is used once.
  if (bytes.length !== PAYLOAD_BYTES + PROOF_BYTES || bytes.toString('base64url') !== challenge) return false
  if (bytes.readUIntBE(0, 6) <= Date.now()) return false
  return timingSafeEqual(
    bytes.subarray(PAYLOAD_BYTES),
    proofOf(secret, purpose, bytes.subarray(0, PAYLOAD_BYTES)),
  )
}

/** Whether nobody used the challenge before. Call it in the transaction that uses it. */
export function useChallenge(tx: Queryable, challenge: string): Promise<boolean> {
  return takeOnce(tx, 'passkey-challenge', challenge, CHALLENGE_MINUTES * 60)
}

/** Bytes: six of the time, the others random. */
const PAYLOAD_BYTES = 32
const PROOF_BYTES = 32

function proofOf(secret: string, purpose: Purpose, mark: Buffer): Buffer {
  const words = purpose === 'sign-in' ? purpose : `add to ${purpose.addTo}`
  return createHmac('sha256', secret).update(`passkey ${words} `).update(mark).digest()
}
