import { CaseSubject, DECISIONS_PAGE_SIZE, type Decision } from '../../contract/desk.ts'
import { sharerName } from '../../contract/sharing.ts'
import type { Fragment, Queryable } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import type { Changes } from './effect.ts'

/** The decisions before `before`, newest first (desk-18). */
export function listDecisions(db: Queryable, before: string | null): Promise<Decision[]> {
  return readDecisions(db, { before })
}

export async function readDecision(db: Queryable, id: string): Promise<Decision> {
  const [decision] = await readDecisions(db, { id })
  if (!decision) throw new HttpError(404, 'There is no such decision.')
  return decision
}

/**
 * Whether a later decision prevents the undo of `b`: one on the same subject, or on the song that `b` added or moved
 * to.
 */
export const hasLaterDecision = (db: Queryable, b: Fragment) => db`
  exists (select from decisions l
    where l.id > ${b}.id and l.undoes is null and l.stands and (l.subject = ${b}.subject and l.subject_id = ${b}.subject_id
      or l.subject = 'song' and l.subject_id = ${b}.song_id and ${b}.action <> 'merge'))`

type Row = Omit<Decision, 'steward' | 'createdAt'> & {
  isKnown: boolean
  firstName: string | null
  lastName: string | null
  createdAt: Date
}

async function readDecisions(
  db: Queryable,
  { id = null, before = null }: { id?: string | null; before?: string | null },
): Promise<Decision[]> {
  const rows = await db<Row[]>`
    select d.id, u.id is not null as is_known, u.first_name, u.last_name, d.subject, d.subject_id, d.label, d.action,
      d.reason, d.changes, d.undoes, d.batch, d.created_at,
      d.subject_id is not null and not exists (select from decisions n where n.undoes = d.id)
        and not ${hasLaterDecision(db, db`b`)} as can_undo
    from decisions d
    join decisions b on b.id = coalesce(d.base, d.id)
    left join users u on u.id = d.steward_id
    where d.subject = any(${CaseSubject.options}::text[]) and ${id === null ? db`d.id < coalesce(${before}::bigint, 9223372036854775807)` : db`d.id = ${id}`}
    order by d.id desc limit ${DECISIONS_PAGE_SIZE}`
  return rows.map(({ isKnown, firstName, lastName, createdAt, ...row }) => ({
    ...row,
    steward: isKnown ? sharerName({ firstName, lastName }) : null,
    changes: row.changes as Changes,
    createdAt: createdAt.toISOString(),
  }))
}
