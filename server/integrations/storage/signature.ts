import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What an address allows; the signature holds all of it together. */
export interface Permit {
  key: string
  /** A part's number; null for a whole object. */
  part: number | null
  /** Bytes that were announced; then no others are taken. */
  size: number | null
  /** Bytes that may arrive, for a part those of all parts together. */
  limit: number
  /** Seconds since 1970. */
  expires: number
}

/** What stands in the query of a signed address. */
export interface SignedQuery {
  part?: string
  size?: string
  limit?: string
  expires?: string
  signature?: string
}

/** A key of its own, so that a signature made elsewhere with the server's secret means nothing here. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'signed upload addresses', 32))
}

export function toQuery(signingKey: Buffer, permit: Permit): Record<string, string> {
  const { part, size, limit, expires } = permit
  return {
    ...(part === null ? {} : { part: String(part) }),
    ...(size === null ? {} : { size: String(size) }),
    limit: String(limit),
    expires: String(expires),
    signature: sign(signingKey, permit),
  }
}

/** What an address allows; null when this server did not sign it as it is. */
export function readPermit(signingKey: Buffer, key: string, query: SignedQuery): Permit | null {
  const permit: Permit = {
    key,
    part: numberOf(query.part),
    size: numberOf(query.size),
    limit: numberOf(query.limit) ?? 0,
    expires: numberOf(query.expires) ?? 0,
  }
  // As text: the last of its letters may be written in four ways that decode to the same bytes.
  const given = Buffer.from(query.signature ?? '')
  const right = Buffer.from(sign(signingKey, permit))
  return given.length === right.length && timingSafeEqual(given, right) ? permit : null
}

function sign(signingKey: Buffer, { key, part, size, limit, expires }: Permit): string {
  return createHmac('sha256', signingKey)
    .update(JSON.stringify([key, part, size, limit, expires]))
    .digest('base64url')
}

const numberOf = (text: string | undefined) =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
