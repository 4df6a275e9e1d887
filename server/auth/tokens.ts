import { hash, randomBytes } from 'node:crypto'

/** 256 random bits, safe in URLs and cookies. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The database stores this hash, so reading the table does not give access. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
