import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What an address allows. The signature covers all of it. */
export interface Permit {
  key: string
  /** The part number; null for a whole object. */
  part: number | null
  /** The announced bytes; any other size is rejected. */
  size: number | null
  /** The most bytes, for a part those of all parts together. */
  limit: number
  /** Seconds since 1970. */
  expires: number
}

export interface SignedQuery {
  part?: string
  size?: string
  limit?: string
  expires?: string
  signature?: string
}

/** A separate key, so that other signatures made with the server's secret are invalid here. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'signed upload addresses', 32))
}

export function toSignedQuery(signingKey: Buffer, permit: Permit): Record<string, string> {
  const { part, size, limit, expires } = permit
  return {
    ...(part === null ? {} : { part: String(part) }),
    ...(size === null ? {} : { size: String(size) }),
    limit: String(limit),
    expires: String(expires),
    signature: sign(signingKey, permit),
  }
}

/** What an address allows; null when its signature is invalid. */
export function verifyPermit(signingKey: Buffer, key: string, query: SignedQuery): Permit | null {
  const permit: Permit = {
    key,
    part: numberOf(query.part),
    size: numberOf(query.size),
    limit: numberOf(query.limit) ?? 0,
    expires: numberOf(query.expires) ?? 0,
  }
  // Compared as text: four spellings of the last base64 letter decode to the same bytes.
  const actual = Buffer.from(query.signature ?? '')
  const expected = Buffer.from(sign(signingKey, permit))
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? permit : null
}

function sign(signingKey: Buffer, { key, part, size, limit, expires }: Permit): string {
  return createHmac('sha256', signingKey)
    .update(JSON.stringify([key, part, size, limit, expires]))
    .digest('base64url')
}

const numberOf = (text: string | undefined) =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
