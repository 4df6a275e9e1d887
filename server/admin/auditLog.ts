import { ADMIN_PAGE_SIZE, type AuditLogEntry } from '../../contract/admin.ts'
import type { Queryable } from '../db/connection.ts'
import { accountName } from './accounts.ts'

/** Who acts: an operator by their id, or null for `npm run account`. */
export type Actor = string | null

interface NewAuditLogEntry {
  subject: AuditLogEntry['subject']
  /** Null for a deleted subject and for one without an id. */
  subjectId: string | null
  label: string
  action: AuditLogEntry['action']
}

/** Stored instead of an operator for what a command did. */
const COMMAND_NAME = 'npm run account'

/**
 * Adds an entry to the audit log, which is stored with the desk's trail (desk-18). Call it in the transaction of the
 * action.
 */
export async function writeAuditLog(
  tx: Queryable,
  actor: Actor,
  { subject, subjectId, label, action }: NewAuditLogEntry,
): Promise<void> {
  await tx`
    insert into decisions (steward_id, subject, subject_id, label, action, reason)
    values (${actor}, ${subject}, ${subjectId}, ${label}, ${action}, ${actor === null ? COMMAND_NAME : null})`
}

type Row = Pick<AuditLogEntry, 'id' | 'subject' | 'label' | 'action' | 'isCommand'> & {
  operatorId: string | null
  firstName: string | null
  lastName: string | null
  createdAt: Date
}

/** The entries with ids below `before`, newest first (accounts-5). */
export async function readAuditLog(db: Queryable, before: string | null): Promise<AuditLogEntry[]> {
  const rows = await db<Row[]>`
    select d.id, d.subject, d.label, d.action, d.reason is not null as is_command, u.id as operator_id, u.first_name,
      u.last_name, d.created_at
    from decisions d left join users u on u.id = d.steward_id
    where d.subject in ('account', 'invitation', 'limit')
      and d.id < coalesce(${before}::bigint, 9223372036854775807)
    order by d.id desc limit ${ADMIN_PAGE_SIZE}`
  return rows.map(({ operatorId, firstName, lastName, createdAt, ...row }) => ({
    ...row,
    by: operatorId === null ? null : accountName({ id: operatorId, firstName, lastName }),
    createdAt: createdAt.toISOString(),
  }))
}
