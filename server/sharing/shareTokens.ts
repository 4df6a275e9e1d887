import { randomBytes } from 'node:crypto'
import type { ShareKind } from '../../contract/sharing.ts'
import type { Database, Queryable } from '../db/connection.ts'

/** What a link leads to, with the listener who shares it. That id never leaves the server. */
export type Owned<T> = T & { owner: string }

/** Characters of a token: 192 random bits, safe in an address (sharing-4). */
const TOKEN = /^[A-Za-z0-9_-]{32}$/

/** What cannot be a token is answered like one that leads nowhere, without asking the database. */
export const isShareToken = (text: string) => TOKEN.test(text)

/**
 * The address with a token that leads nowhere in place of one that is malformed. Left as it is, one too long or
 * badly encoded would be refused before its route, in words of its own (sharing-4).
 */
export function withReadableToken(url: string): string {
  return url.replace(
    /^(\/(?:api\/)?share\/(?:collection|achievement)\/)([^/?]*)/,
    (address, start: string, token: string) => (isShareToken(token) ? address : `${start}-`),
  )
}

/** The token of a share link, made on first use and the same ever after (sharing-4). */
export async function findOrMakeToken(
  db: Queryable,
  owner: string,
  kind: ShareKind,
  targetId: string,
): Promise<string> {
  // The update changes nothing: it makes the row that is there come back.
  const [row] = await db<{ token: string }[]>`
    insert into share_tokens as t (token, user_id, kind, target_id)
    values (${randomBytes(24).toString('base64url')}, ${owner}, ${kind}, ${targetId})
    on conflict (kind, target_id) do update set token = t.token
    returning token`
  if (!row) throw new Error('An upsert gave no row.')
  return row.token
}

/** Ends the link to something that is being deleted. */
export async function dropToken(db: Queryable, kind: ShareKind, targetId: string): Promise<void> {
  await db`delete from share_tokens where kind = ${kind} and target_id = ${targetId}`
}

/** For the operator: ends a link. Gives what it led to, or null for a token that leads nowhere. */
export async function revokeToken(
  db: Database,
  token: string,
): Promise<{ kind: ShareKind; userId: string; targetId: string } | null> {
  const [row] = await db<{ kind: ShareKind; userId: string; targetId: string }[]>`
    delete from share_tokens where token = ${token} returning kind, user_id, target_id`
  return row ?? null
}
