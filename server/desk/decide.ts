import type { ACTIONS_BY_SUBJECT, CaseSubject, Decision, DeskAction } from '../../contract/desk.ts'
import { isOfSuspended, rankOf } from '../auth/accountRights.ts'
import type { Database, Queryable, Transaction } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import type { SessionUser } from '../http/route.ts'
import { isAbout } from '../profiles/isAbout.ts'
import { readDecision, requireOthers } from './decisions.ts'
import { type CaseHandler, caseClosed, conflict, type DecisionBody, type Effect } from './effect.ts'
import { MICROGENRE_CASES } from './microgenres.ts'
import { BIO_CASES, COLLECTION_CASES, PERSON_CASES, PHOTO_CASES } from './people.ts'
import { SONG_CASES } from './songs.ts'
import { SUGGESTION_CASES } from './suggestions.ts'
import { VIDEO_CASES } from './videos.ts'

/**
 * Decides a case, in one transaction (desk-13). Of two stewards who decide at once, one is first.
 * @throws HttpError 400 and 409 with what is wrong, 403 for one's own case or report, 404 for an unknown one.
 */
export async function decide(
  db: Database,
  env: Env,
  steward: SessionUser,
  input: DecisionBody,
): Promise<Decision> {
  return db.begin(async (tx) => {
    await requireOthers(tx, steward.id, input)
    const isOpen = await CASE_HANDLERS[input.subject].lock(tx, input.subjectId)
    const rank = rankOf(env, steward)
    if (!isOpen) return readDecision(tx, rank, await findOwnDecision(tx, steward.id, input))
    if (input.action !== 'dismiss' && rank === 'steward') await requireOtherReporters(tx, steward.id, input)
    return readDecision(tx, rank, await applyDecision(tx, env, steward, input, null))
  })
}

/** @throws HttpError 403 when only the steward has reported it, and another steward could decide (desk-29). */
async function requireOtherReporters(
  tx: Queryable,
  steward: string,
  { subject, subjectId }: DecisionBody,
): Promise<void> {
  const [onlyOwn] = await tx`
    select from reports r
    where subject = ${subject} and subject_id = ${subjectId} and closed_by is null and withdrawn_at is null
      and not ${isOfSuspended(tx, tx`r`)}
    having bool_and(user_id = ${steward}) and exists (
      select from users u, (select ${subject}::text as subject, ${subjectId}::bigint as subject_id) c
      where u.is_steward and u.suspended_at is null and u.id <> ${steward} and not ${isAbout(tx, tx`c`, tx`u.id`)})`
  if (onlyOwn) throw new HttpError(403, 'Only you reported this, so another steward decides it.')
}

/** Applies a decision to a locked case and records it in the trail. Returns its id. */
export async function applyDecision(
  tx: Transaction,
  env: Env,
  steward: SessionUser,
  input: DecisionBody,
  batch: string | null,
): Promise<string> {
  const { subject, subjectId, action, reason } = input
  const effect = effectOf(subject, action)
  const { label, songId, changes = [], undoData = {} } = await effect.decide({ tx, env, steward }, input)
  const [inserted] = await tx<{ id: string }[]>`
    insert into decisions (steward_id, subject, subject_id, label, action, reason, song_id, changes, kept, batch)
    values (${steward.id}, ${subject}, ${subjectId}, ${label}, ${action}, ${action === 'reject' ? (reason ?? null) : null},
      ${songId ?? null}, ${tx.json(changes)}, ${tx.json({ ...undoData, rank: rankOf(env, steward) })}, ${batch})
    returning id`
  if (!inserted) throw new Error('An insert returned no row.')
  await closeReports(tx, inserted.id, subject, subjectId)
  return inserted.id
}

export async function closeReports(
  tx: Queryable,
  decision: string,
  subject: CaseSubject,
  subjectId: string,
): Promise<void> {
  await tx`
    update reports set closed_by = ${decision}
    where subject = ${subject} and subject_id = ${subjectId} and closed_by is null and withdrawn_at is null`
}

/** The steward's own decision, when it is sent again. @throws HttpError 409 when somebody else was first. */
async function findOwnDecision(
  tx: Queryable,
  steward: string,
  { subject, subjectId, action }: DecisionBody,
): Promise<string> {
  const [last] = await tx<{ id: string; isOwn: boolean; action: string }[]>`
    select id, coalesce(steward_id = ${steward}, false) as is_own, action from decisions
    where subject = ${subject} and subject_id = ${subjectId} and undoes is null and stands
    order by id desc limit 1`
  if (last?.isOwn && last.action === action) return last.id
  throw last && !last.isOwn ? conflict('Another steward has decided this case already.') : caseClosed()
}

/** The handlers of all cases, by subject. */
const CASE_HANDLERS = {
  suggestion: SUGGESTION_CASES,
  video: VIDEO_CASES,
  microgenre: MICROGENRE_CASES,
  song: SONG_CASES,
  person: PERSON_CASES,
  bio: BIO_CASES,
  photo: PHOTO_CASES,
  collection: COLLECTION_CASES,
} satisfies { [Subject in CaseSubject]: CaseHandler<(typeof ACTIONS_BY_SUBJECT)[Subject][number]> }

/** How a decision on a subject is applied. @throws HttpError 400 for one that the subject does not allow. */
export function effectOf(subject: CaseSubject, action: DeskAction): Effect {
  const effects: Partial<Record<DeskAction, Effect>> = CASE_HANDLERS[subject].effects
  const effect = effects[action]
  if (!effect) throw new HttpError(400, 'This decision does not fit the case.')
  return effect
}
