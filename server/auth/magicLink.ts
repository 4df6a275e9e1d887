import { timingSafeEqual } from 'node:crypto'
import { followMagicLink } from '../../contract/auth.ts'
import { LOCK_KEYS } from '../db/advisoryLocks.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { inBatches } from '../db/inBatches.ts'
import { HttpError } from '../http/HttpError.ts'
import { escapeHtml } from '../http/pageExtras.ts'
import { type PageParts, plainPage } from '../http/plainPage.ts'
import type { Mailer } from '../integrations/mailer.ts'
import { type Admission, type AdmissionRefusal, admitPerson, findAccount } from './accounts.ts'
import { LINK_MINUTES } from './cookies.ts'
import { createSession } from './sessions.ts'
import { hashCode } from './signInCode.ts'
import { hashToken, newToken } from './tokens.ts'

export type LinkFailure = 'link-used' | 'link-expired' | 'link-unknown' | 'suspended' | AdmissionRefusal

/**
 * Stores a new link for the address and returns its token. `browser` is the one that requested it: its cookie, and the
 * code that works there. The link carries the invitation that is open there, also into another browser (signin-18).
 */
export async function createLink(
  db: Database,
  email: string,
  browser: { token: string; code: string } | null,
  invitation: string | null = null,
): Promise<string> {
  const token = newToken()
  const browserHash = browser && hashToken(browser.token)
  const codeHash = browser && hashCode(browser.token, browser.code)
  await db`
    insert into sign_in_tokens (token_hash, email, browser_hash, code_hash, invitation_id, expires_at)
    values (${hashToken(token)}, ${email}, ${browserHash}, ${codeHash}, ${invitation},
      now() + ${LINK_MINUTES} * interval '1 minute')`
  return token
}

/** The link's origin is PUBLIC_URL and never a Host header (signin-10). */
export function linkAddress(publicUrl: string, token: string): string {
  return `${publicUrl}${followMagicLink.path}?token=${token}`
}

interface LinkStatus {
  /** Whether this browser requested it. Only then may a GET use it (signin-9). */
  isOwnBrowser: boolean
  /** The address that it signs in, or the reason why it does not. */
  outcome: { email: string } | { failure: LinkFailure }
}

/** Reads a link without using it. */
export async function readLink(
  db: Queryable,
  tokenHash: Buffer,
  browserToken: string | undefined,
): Promise<LinkStatus> {
  const [row] = await db<{ email: string; browserHash: Buffer | null; used: boolean; expired: boolean }[]>`
    select email, browser_hash, used_at is not null as used, expires_at <= now() as expired
    from sign_in_tokens where token_hash = ${tokenHash}`
  if (!row) return { isOwnBrowser: false, outcome: { failure: 'link-unknown' } }
  const { email, browserHash, used, expired } = row
  return {
    isOwnBrowser:
      browserToken !== undefined &&
      browserHash !== null &&
      timingSafeEqual(browserHash, hashToken(browserToken)),
    outcome: used ? { failure: 'link-used' } : expired ? { failure: 'link-expired' } : { email },
  }
}

/**
 * Uses a link, or its code: concurrent uses give one session. Other open links of the address become invalid. Returns the
 * session's token, or the reason why there is none. `admission` has the invitation of the browser that uses it.
 */
export async function redeemLink(
  db: Database,
  tokenHash: Buffer,
  userAgent: string | null,
  admission: Admission,
): Promise<{ session: string } | { failure: LinkFailure }> {
  return db.begin(async (tx) => {
    // Without this lock, two links of one address would deadlock.
    await tx`
      select pg_advisory_xact_lock(${LOCK_KEYS.signInAddress}, hashtext(email)) from sign_in_tokens
      where token_hash = ${tokenHash}`
    const [link] = await tx<{ email: string; invitationId: string | null }[]>`
      update sign_in_tokens set used_at = now()
      where token_hash = ${tokenHash} and used_at is null and expires_at > now()
      returning email, invitation_id`
    if (!link) return { failure: await findLinkFailure(tx, tokenHash) }
    await tx`update sign_in_tokens set used_at = now() where email = ${link.email} and used_at is null`
    const existing = await findAccount(tx, link.email)
    const invitation = link.invitationId ?? admission.invitation
    const person =
      existing === null
        ? await admitPerson(tx, link.email, { ...admission, invitation })
        : { userId: existing }
    if ('failure' in person) return person
    const session = await createSession(tx, person.userId, userAgent)
    return session === null ? { failure: 'suspended' } : { session }
  })
}

/** @throws HttpError 502 when the mail server rejects the message. */
export async function sendLinkMail(mailer: Mailer, to: string, link: string, code: string): Promise<void> {
  const isAccepted = await mailer.send({
    to,
    subject: 'Your sign-in link for Banger or Bust',
    text: [
      'Press this link to sign in to Banger or Bust:',
      '',
      link,
      '',
      'Or type this code on the page where you asked for it:',
      '',
      code,
      '',
      `One of them works once, for ${LINK_MINUTES} minutes. Nobody will ever ask you for the code. If you did not request it, you can ignore this message.`,
    ].join('\n'),
  })
  if (!isAccepted)
    throw new HttpError(502, 'The e-mail could not be sent. Please try again in a few minutes.')
}

interface LinkPage {
  token: string
  /** The address that the link signs in, in part; null when the link does not work. */
  address: string | null
  parts: PageParts
}

/**
 * The page for a magic link that is opened in another browser than the one that requested it. Mail scanners open
 * links too, so only its button uses the link up. It names the account, because the link may be a stranger's
 * (signin-9).
 */
export function linkPage({ token, address, parts }: LinkPage): string {
  // The page's own address.
  const action = `?token=${encodeURIComponent(token)}`
  const account = address === null ? '' : ` as <b>${escapeHtml(address)}</b>`
  return plainPage({
    title: 'Sign in',
    parts,
    body: `<h1>Sign in to Banger or Bust</h1>
  <p>You opened your link in another browser than the one that asked for it. Press the button to sign in here${account}.</p>
  <form method="post" action="${action}"><button type="submit" class="${parts.frames.mainButton}">Sign in</button></form>`,
  })
}

/** Deletes links one day after they expired. Until then the page can say whether a link was used or has expired. */
export const sweepLinks = (db: Queryable, signal?: AbortSignal): Promise<void> =>
  inBatches(
    signal,
    (rows) => db`
      delete from sign_in_tokens where token_hash in (
        select token_hash from sign_in_tokens where expires_at < now() - interval '1 day'
        order by expires_at limit ${rows})`,
  )

async function findLinkFailure(db: Queryable, tokenHash: Buffer): Promise<LinkFailure> {
  const { outcome } = await readLink(db, tokenHash, undefined)
  return 'failure' in outcome ? outcome.failure : 'link-expired'
}
