import { CaseSubject, DECISIONS_PAGE_SIZE, type Decision } from '../../contract/desk.ts'
import { type Sharer, sharerName } from '../../contract/sharing.ts'
import type { Rank } from '../auth/accountRights.ts'
import type { Fragment, Queryable } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { isAbout } from '../profiles/isAbout.ts'
import type { Changes } from './effect.ts'
import { personLabel } from './people.ts'

/** The decisions before `before`, newest first (desk-18), without those about the steward (desk-29). */
export function listDecisions(
  db: Queryable,
  rank: Rank,
  steward: string,
  before: string | null,
): Promise<Decision[]> {
  return readDecisions(db, rank, { steward, before })
}

/** @throws HttpError 403 when the subject is the steward, or theirs (desk-29). */
export async function requireOthers(
  db: Queryable,
  steward: string,
  { subject, subjectId }: { subject: CaseSubject; subjectId: string },
): Promise<void> {
  const [own] = await db`
    select from (select ${subject}::text as subject, ${subjectId}::bigint as subject_id) c
    where ${isAbout(db, db`c`, db`${steward}`)}`
  if (own) throw new HttpError(403, 'This is about you, so somebody else decides it.')
}

/** `rank` is the reader's. */
export async function readDecision(db: Queryable, rank: Rank, id: string): Promise<Decision> {
  const [decision] = await readDecisions(db, rank, { id })
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
  /** The person that it is about; null for a private one. */
  person: Pick<Sharer, 'firstName' | 'lastName'> | null
  /** The collection's name, that of the time while the desk hides it; null for a private or deleted one. */
  collection: string | null
}

/** Names and words are those that a visitor of the desk may see today (desk-11), not those of the time. */
async function readDecisions(
  db: Queryable,
  rank: Rank,
  only: { id: string } | { steward: string; before: string | null },
): Promise<Decision[]> {
  const rows = await db<Row[]>`
    select d.id, u.id is not null as is_known, u.first_name, u.last_name, d.subject, d.subject_id, d.label, d.action,
      d.reason, d.undoes, d.batch, d.created_at,
      d.subject_id is not null and not exists (select from decisions n where n.undoes = d.id)
        and (d.kept ->> 'rank' is distinct from 'operator' or ${rank}::text = 'operator')
        and not ${hasLaterDecision(db, db`b`)} as can_undo,
      case when p.is_public then json_build_object('firstName', p.first_name, 'lastName', p.last_name) end as person,
      case when c.is_public then c.name when c.id is not null and b.stands and b.action = 'block' then b.label end
        as collection,
      case when d.subject not in ('bio', 'photo')
        or p.is_public and (b.stands or d.changes -> 0 ->> 'before' in (p.bio, p.profile_image_url))
        then d.changes else '[]' end as changes
    from decisions d
    join decisions b on b.id = coalesce(d.base, d.id)
    left join users u on u.id = d.steward_id
    left join users p on p.id = d.subject_id and d.subject in ('person', 'bio', 'photo')
    left join collections c on c.id = d.subject_id and d.subject = 'collection'
    where d.subject = any(${CaseSubject.options}::text[])
      and ${
        'id' in only
          ? db`d.id = ${only.id}`
          : db`not ${isAbout(db, db`d`, db`${only.steward}`)} and d.id < coalesce(${only.before}::bigint, 9223372036854775807)`
      }
    order by d.id desc limit ${DECISIONS_PAGE_SIZE}`
  return rows.map(({ isKnown, firstName, lastName, person, collection, createdAt, ...row }) => ({
    ...row,
    label: labelOf(row, person, collection),
    steward: isKnown ? sharerName({ firstName, lastName }) : null,
    changes: row.changes as Changes,
    createdAt: createdAt.toISOString(),
  }))
}

function labelOf(
  { subject, subjectId, label }: Pick<Row, 'subject' | 'subjectId' | 'label'>,
  person: Row['person'],
  collection: Row['collection'],
): string {
  if (subjectId === null) return label
  if (subject === 'collection') return collection ?? 'A private or deleted collection'
  if (subject !== 'person' && subject !== 'bio' && subject !== 'photo') return label
  if (!person && subject === 'person') return 'A private listener'
  return personLabel(subject, person ? sharerName(person) : 'a private listener')
}
