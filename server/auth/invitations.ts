import type { InvitationState } from '../../contract/auth.ts'
import type { Queryable } from '../db/connection.ts'
import { hashToken } from './tokens.ts'

/** What the page of an invitation shows, and what a sign-in needs. */
interface FoundInvitation {
  id: string
  state: InvitationState
  expiresAt: Date
}

/** The invitation of a link or a cookie; null when there is none. */
export async function findInvitation(
  db: Queryable,
  token: string | undefined,
): Promise<FoundInvitation | null> {
  if (!token) return null
  const [found] = await db<FoundInvitation[]>`
    select i.id, ${invitationState(db)} as state, i.expires_at from invitations i where i.token_hash = ${hashToken(token)}`
  return found ?? null
}

export const invitationState = (db: Queryable) => db`
  case when i.revoked_at is not null then 'revoked' when i.uses >= i.max_uses then 'used'
    when i.expires_at <= now() then 'expired' else 'open' end`

/**
 * Claims one use; false when none is left. Concurrent calls wait for the row. Call it in the transaction that creates
 * the account.
 */
export async function claimInvitationUse(tx: Queryable, id: string): Promise<boolean> {
  const claimed = await tx`
    update invitations i set uses = i.uses + 1 where i.id = ${id} and ${invitationState(tx)} = 'open'`
  return claimed.count > 0
}

/** Returns a use that created no account. */
export async function releaseInvitationUse(tx: Queryable, id: string): Promise<void> {
  await tx`update invitations set uses = uses - 1 where id = ${id}`
}
