import { CaseSubject, type Decision } from '../../contract/desk.ts'
import { type Rank, rankOf } from '../auth/accountRights.ts'
import type { Database, Transaction } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import type { SessionUser } from '../http/route.ts'
import { closeReports, effectOf } from './decide.ts'
import { hasLaterDecision, readDecision, requireOthers } from './decisions.ts'
import { conflict, type StoredDecision } from './effect.ts'
import { lockOwner } from './people.ts'

/**
 * Undoes a decision, or an undo, and records that in the trail (desk-17). Idempotent.
 * @throws HttpError 404 for an unknown decision, 403 for one about the steward, 409 when a later one stands, its undo
 * was undone, or its effect cannot be taken back.
 */
export async function undo(db: Database, env: Env, steward: SessionUser, id: string): Promise<Decision> {
  return db.begin(async (tx) => {
    const base = await lockBase(tx, steward, id)
    const [undone] = await tx<{ id: string; isUndone: boolean }[]>`
      select u.id, exists (select from decisions n where n.undoes = u.id) as is_undone
      from decisions u where u.undoes = ${id}`
    if (undone?.isUndone) throw conflict('It was undone and decided again. Undo its last row in the trail.')
    const undoId = undone?.id ?? (await applyUndo(tx, env, steward, id, base, null))
    return readDecision(tx, rankOf(env, steward), undoId)
  })
}

interface BaseDecision extends StoredDecision {
  stands: boolean
  isBlocked: boolean
  /** Who made the decision, or the undo, that is to be undone. */
  rank: Rank | null
}

/** Undoes or reapplies `base`, and records that as the undo of `id`. Returns the id of the new row. */
export async function applyUndo(
  tx: Transaction,
  env: Env,
  steward: SessionUser,
  id: string,
  base: BaseDecision,
  batch: string | null,
): Promise<string> {
  const { subject, subjectId, stands } = base
  if (base.rank === 'operator' && rankOf(env, steward) !== 'operator')
    throw conflict('An operator has decided this. Only an operator undoes it.')
  if (base.isBlocked) throw conflict('A later decision on this stands. Undo that one first.')
  const effect = effectOf(subject, base.action)
  const context = { tx, env, steward }
  if (stands) {
    await effect.undo(context, base)
    await reopenReports(tx, base.id)
  } else {
    if (effect.redo) await effect.redo(context, base)
    else
      await effect.decide(context, {
        ...base,
        reason: base.reason ?? undefined,
        songId: undefined,
        changes: undefined,
      })
    await closeReports(tx, base.id, subject, subjectId)
  }
  await tx`update decisions set stands = ${!stands} where id = ${base.id}`
  const [inserted] = await tx<{ id: string }[]>`
    insert into decisions (steward_id, subject, subject_id, label, action, undoes, base, batch, kept)
    select ${steward.id}, subject, subject_id, label, 'undo', ${id}, id, ${batch},
      ${tx.json({ rank: rankOf(env, steward) })}
    from decisions where id = ${base.id}
    returning id`
  if (!inserted) throw new Error('An insert returned no row.')
  return inserted.id
}

/** Locks the decision that `id` is or, through undos, refers to. */
export async function lockBase(tx: Transaction, steward: SessionUser, id: string): Promise<BaseDecision> {
  const [reference] = await tx<
    { base: string; subject: CaseSubject; subjectId: string | null; rank: Rank | null }[]
  >`
    select coalesce(base, id) as base, subject, subject_id, kept ->> 'rank' as rank from decisions
    where id = ${id} and subject = any(${CaseSubject.options}::text[])`
  if (!reference) throw new HttpError(404, 'There is no such decision.')
  if (reference.subjectId === null) throw conflict('The account that it was about is deleted.')
  // The subject first, as a decision locks it.
  await lockOwner(tx, reference.subject, reference.subjectId)
  await tx`
    select from suggestions where id = (
      select subject_id from decisions where id = ${reference.base} and subject = 'suggestion') for update`
  await tx`
    select from found_microgenres where id = (
      select subject_id from decisions where id = ${reference.base} and subject = 'microgenre') for update`
  const [row] = await tx<(Omit<BaseDecision, 'subjectId' | 'rank'> & { subjectId: string | null })[]>`
    select b.id, b.subject, b.subject_id, b.action, b.reason, b.song_id, b.changes, b.kept as undo_data, b.stands,
      ${hasLaterDecision(tx, tx`b`)} as is_blocked
    from decisions b where b.id = ${reference.base} for update of b`
  if (!row?.subjectId) throw conflict('The account that it was about is deleted.')
  const decision = { ...row, subjectId: row.subjectId, rank: reference.rank }
  await requireOthers(tx, steward.id, decision)
  return decision
}

/** Reopens the reports that it closed, except where their listener has reported the same again. */
async function reopenReports(tx: Transaction, decision: string): Promise<void> {
  await tx`
    update reports r set closed_by = null where r.closed_by = ${decision} and not exists (
      select from reports o where o.user_id = r.user_id and o.subject = r.subject and o.subject_id = r.subject_id
        and o.reason = r.reason and o.closed_by is null and o.withdrawn_at is null)`
}
