import { CaseSubject, DECISIONS_PAGE_SIZE, type Decision } from '../../contract/desk.ts'
import { sharerName } from '../../contract/sharing.ts'
import type { Fragment, Queryable } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { isAbout } from '../profiles/isAbout.ts'
import type { Changes } from './effect.ts'

/** The decisions before `before`, newest first (desk-18), without those about the steward (desk-29). */
export function listDecisions(db: Queryable, steward: string, before: string | null): Promise<Decision[]> {
  return readDecisions(db, { steward, before })
}

/** @throws HttpError 403 when the subject is the steward, or theirs (desk-29). */
export async function requireOthers(
  db: Queryable,
  steward: string,
  { subject, subjectId }: { subject: CaseSubject; subjectId: string },
): Promise<void> {
  const [own] = await db`
    select from (select ${subject}::text as subject, ${subjectId}::bigint as subject_id) c
    where ${isAbout(db, db`c`, steward)}`
  if (own) throw new HttpError(403, 'This is about you, so somebody else decides it.')
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
  only: { id: string } | { steward: string; before: string | null },
): Promise<Decision[]> {
  const rows = await db<Row[]>`
    select d.id, u.id is not null as is_known, u.first_name, u.last_name, d.subject, d.subject_id, d.label, d.action,
      d.reason, d.changes, d.undoes, d.batch, d.created_at,
      d.subject_id is not null and not exists (select from decisions n where n.undoes = d.id)
        and not ${hasLaterDecision(db, db`b`)} as can_undo
    from decisions d
    join decisions b on b.id = coalesce(d.base, d.id)
    left join users u on u.id = d.steward_id
    where d.subject = any(${CaseSubject.options}::text[])
      and ${
        'id' in only
          ? db`d.id = ${only.id}`
          : db`not ${isAbout(db, db`d`, only.steward)} and d.id < coalesce(${only.before}::bigint, 9223372036854775807)`
      }
    order by d.id desc limit ${DECISIONS_PAGE_SIZE}`
  return rows.map(({ isKnown, firstName, lastName, createdAt, ...row }) => ({
    ...row,
    steward: isKnown ? sharerName({ firstName, lastName }) : null,
    changes: row.changes as Changes,
    createdAt: createdAt.toISOString(),
  }))
}
