import { randomBytes } from 'node:crypto'
import type { ShareKind } from '../../contract/sharing.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { defineLimit } from '../http/limits/limits.ts'

/** A link's target, and the listener who shares it. `owner` is never sent to clients. */
export type WithOwner<T> = T & { owner: string }

/** Characters of a token: 192 random bits, safe in a URL (sharing-4). */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{32}$/

export const isShareToken = (text: string) => TOKEN_PATTERN.test(text)

/**
 * Replaces a malformed token in the URL by an unknown one, so that both get the same response. Otherwise an overlong
 * or badly encoded token would be rejected before its route (sharing-4).
 */
export function replaceMalformedToken(url: string): string {
  return url.replace(
    /^(\/(?:api\/)?share\/(?:collection|achievement|mix|blind)\/)([^/?]*)/,
    (address, start: string, token: string) => (isShareToken(token) ? address : `${start}-`),
  )
}

/** The token of a share link, created on first use (sharing-4). */
export async function ensureShareToken(
  db: Queryable,
  owner: string,
  kind: ShareKind,
  targetId: string,
): Promise<string> {
  // The update changes nothing; it makes RETURNING include the existing row.
  const [row] = await db<{ token: string }[]>`
    insert into share_tokens as t (token, user_id, kind, target_id)
    values (${randomBytes(24).toString('base64url')}, ${owner}, ${kind}, ${targetId})
    on conflict (kind, target_id) do update set token = t.token
    returning token`
  if (!row) throw new Error('An upsert returned no row.')
  return row.token
}

export async function deleteShareToken(db: Queryable, kind: ShareKind, targetId: string): Promise<void> {
  await db`delete from share_tokens where kind = ${kind} and target_id = ${targetId}`
}

/** Restores a deleted link. A newer link to the same target stays. */
export async function restoreShareToken(
  db: Queryable,
  owner: string,
  kind: ShareKind,
  targetId: string,
  token: string,
): Promise<void> {
  await db`
    insert into share_tokens (token, user_id, kind, target_id) values (${token}, ${owner}, ${kind}, ${targetId})
    on conflict do nothing`
}

/** For the operator: deletes a link. Returns its target, or null for an unknown token. */
export async function revokeShareToken(
  db: Database,
  token: string,
): Promise<{ kind: ShareKind; userId: string; targetId: string } | null> {
  const [row] = await db<{ kind: ShareKind; userId: string; targetId: string }[]>`
    delete from share_tokens where token = ${token} returning kind, user_id, target_id`
  return row ?? null
}

export const SHARING_LIMIT = defineLimit({
  name: 'sharing',
  max: 200,
  seconds: 3600,
  message: 'You have shared too much within an hour. Please wait a while.',
  counts: 'share links',
  per: 'listener',
})
