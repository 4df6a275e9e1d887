import { ADMIN_PAGE_SIZE, type Invitation } from '../../contract/admin.ts'
import { invitationPath } from '../../contract/auth.ts'
import { invitationState } from '../auth/invitations.ts'
import { hashToken, newToken } from '../auth/tokens.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { type Actor, writeAuditLog } from './auditLog.ts'

interface NewInvitation {
  note?: string | undefined
  days: number
  uses: number
}

/** Creates an invitation and returns its link, which is not stored (signin-17). */
export async function createInvitation(
  db: Database,
  publicUrl: string,
  actor: Actor,
  { note, days, uses }: NewInvitation,
): Promise<Invitation & { link: string }> {
  const token = newToken()
  return db.begin(async (tx) => {
    const [inserted] = await tx<{ id: string }[]>`
      insert into invitations (token_hash, note, max_uses, expires_at)
      values (${hashToken(token)}, ${note || null}, ${uses}, now() + ${days} * interval '1 day') returning id`
    if (!inserted) throw new Error('An insert returned no row.')
    const invitation = await readInvitation(tx, inserted.id)
    await writeInvitationEntry(tx, actor, invitation, 'invite')
    return { ...invitation, link: publicUrl + invitationPath(token) }
  })
}

/** The invitations with ids below `before`, newest first. */
export function listInvitations(db: Queryable, before: string | null): Promise<Invitation[]> {
  return readInvitations(db, { before })
}

/** Revokes an invitation, so that it creates no more accounts. @throws HttpError 404 for an unknown one. */
export async function revokeInvitation(db: Database, actor: Actor, id: string): Promise<Invitation> {
  return db.begin(async (tx) => {
    const revoked = await tx`
      update invitations set revoked_at = now() where id = ${id} and revoked_at is null`
    const invitation = await readInvitation(tx, id)
    if (revoked.count > 0) await writeInvitationEntry(tx, actor, invitation, 'revoke')
    return invitation
  })
}

async function readInvitation(db: Queryable, id: string): Promise<Invitation> {
  const [invitation] = await readInvitations(db, { id })
  if (!invitation) throw new HttpError(404, 'There is no such invitation.')
  return invitation
}

type Row = Omit<Invitation, 'createdAt' | 'expiresAt'> & { createdAt: Date; expiresAt: Date }

async function readInvitations(
  db: Queryable,
  { id = null, before = null }: { id?: string | null; before?: string | null },
): Promise<Invitation[]> {
  const rows = await db<Row[]>`
    select i.id, i.note, ${invitationState(db)} as state, i.uses, i.max_uses, i.created_at, i.expires_at
    from invitations i
    where ${id === null ? db`i.id < coalesce(${before}::bigint, 9223372036854775807)` : db`i.id = ${id}`}
    order by i.id desc limit ${ADMIN_PAGE_SIZE}`
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }))
}

function writeInvitationEntry(
  tx: Queryable,
  actor: Actor,
  { id, note }: Invitation,
  action: 'invite' | 'revoke',
) {
  const label = note ?? `Invitation ${id}`
  return writeAuditLog(tx, actor, { subject: 'invitation', subjectId: id, label, action })
}
