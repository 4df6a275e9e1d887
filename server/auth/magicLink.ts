import { timingSafeEqual } from 'node:crypto'
import { followMagicLink } from '../../contract/auth.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { findOrCreateAccount } from './accounts.ts'
import { LINK_MINUTES } from './cookies.ts'
import { createSession } from './sessions.ts'
import { hashToken, newToken } from './tokens.ts'

/** Namespace of the advisory lock; no other lock uses it. */
const ADDRESS_LOCK = 7041003

export type LinkFailure = 'link-used' | 'link-expired' | 'link-unknown' | 'suspended'

/**
 * Stores a new link for the address and returns its token. `browserMark` is the cookie of the requesting browser,
 * if there is one.
 */
export async function createLink(db: Database, email: string, browserMark: string | null): Promise<string> {
  const token = newToken()
  const browserHash = browserMark === null ? null : hashToken(browserMark)
  await db`
    insert into sign_in_tokens (token_hash, email, browser_hash, expires_at)
    values (${hashToken(token)}, ${email}, ${browserHash}, now() + ${LINK_MINUTES} * interval '1 minute')`
  return token
}

/** The link's origin is PUBLIC_URL and never a Host header (signin-10). */
export function linkAddress(publicUrl: string, token: string): string {
  return `${publicUrl}${followMagicLink.path}?token=${token}`
}

/** Whether this browser requested the link. Only then may a GET use it (signin-9). */
export async function isRequestingBrowser(
  db: Database,
  token: string,
  browserMark: string | undefined,
): Promise<boolean> {
  if (!browserMark) return false
  const [row] = await db<{ browserHash: Buffer | null }[]>`
    select browser_hash from sign_in_tokens where token_hash = ${hashToken(token)}`
  return row?.browserHash != null && timingSafeEqual(row.browserHash, hashToken(browserMark))
}

/**
 * Uses a link: concurrent uses give one session. Other open links of the address become invalid. Returns the
 * session's token, or the reason why there is none.
 */
export async function redeemLink(
  db: Database,
  token: string,
  userAgent: string | null,
): Promise<{ session: string } | { failure: LinkFailure }> {
  return db.begin(async (tx) => {
    // Without this lock, two links of one address would wait for each other's row.
    await tx`
      select pg_advisory_xact_lock(${ADDRESS_LOCK}, hashtext(email)) from sign_in_tokens
      where token_hash = ${hashToken(token)}`
    const [spent] = await tx<{ email: string }[]>`
      update sign_in_tokens set used_at = now()
      where token_hash = ${hashToken(token)} and used_at is null and expires_at > now()
      returning email`
    if (!spent) return { failure: await whyNot(tx, token) }
    await tx`update sign_in_tokens set used_at = now() where email = ${spent.email} and used_at is null`
    const userId = await findOrCreateAccount(tx, spent.email)
    const session = await createSession(tx, userId, userAgent)
    return session === null ? { failure: 'suspended' } : { session }
  })
}

/** Deletes links one day after they expired. Until then the page can say whether a link was used or has expired. */
export async function sweepLinks(db: Queryable): Promise<void> {
  await db`delete from sign_in_tokens where expires_at < now() - interval '1 day'`
}

async function whyNot(db: Queryable, token: string): Promise<LinkFailure> {
  const [row] = await db<{ used: boolean }[]>`
    select used_at is not null as used from sign_in_tokens where token_hash = ${hashToken(token)}`
  if (!row) return 'link-unknown'
  return row.used ? 'link-used' : 'link-expired'
}
