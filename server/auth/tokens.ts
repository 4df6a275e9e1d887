import { hash, randomBytes } from 'node:crypto'

/** 256 random bits, safe in an address and in a cookie. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database keeps of a token: whoever reads the table cannot sign in with it. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
