import { TRUSTED_AFTER_APPROVALS, type undoBatch as undoBatchEndpoint } from '../../contract/desk.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { isOfSuspended } from '../auth/accountRights.ts'
import type { Database, Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import type { SessionUser } from '../http/route.ts'
import { applyDecision } from './decide.ts'
import { conflict } from './effect.ts'
import { SUGGESTION_CASES } from './suggestions.ts'
import { applyUndo, lockBase } from './undo.ts'

/** Suggestions per press: few enough for one call. */
const MAX_BATCH = 40

/** The first listener whose vote stands. */
export const suggesterOf = (db: Queryable) => db`
  (select v.user_id from suggestion_votes v
   where v.suggestion_id = g.id and v.withdrawn_at is null and not ${isOfSuspended(db, db`v`)}
   order by v.created_at, v.user_id limit 1)`

/** Which of these listeners are trusted: their last decided suggestions were all approved (desk-20). */
export async function findTrusted(db: Queryable, listeners: string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select u.id from users u where u.id = any(${listeners}::bigint[]) and (
      select count(*) filter (where last.state = 'approved') from (
        select g.state from suggestions g join suggestion_votes mine on mine.suggestion_id = g.id
        where mine.user_id = u.id and g.decided_at is not null and ${suggesterOf(db)} = u.id
        order by g.decided_at desc limit ${TRUSTED_AFTER_APPROVALS}) last) = ${TRUSTED_AFTER_APPROVALS}::int`
  return new Set(rows.map(({ id }) => id))
}

type BatchResult = ResponseOf<typeof undoBatchEndpoint>

/**
 * Approves the waiting suggestions of a trusted suggester, each in its own transaction. Those that cannot be approved
 * stay at the desk.
 * @throws HttpError 404 for an unknown listener, 409 for one who is not trusted.
 */
export async function approveTrusted(
  db: Database,
  env: Env,
  steward: SessionUser,
  listener: string,
): Promise<BatchResult> {
  const [user] = await db`select from users where id = ${listener}`
  if (!user) throw new HttpError(404, 'There is no such listener.')
  if (!(await findTrusted(db, [listener])).has(listener))
    throw conflict('This listener is not trusted: not all of their last ten suggestions were approved.')
  const waiting = await db<{ id: string }[]>`
    select g.id from suggestions g join suggestion_votes mine on mine.suggestion_id = g.id
    where mine.user_id = ${listener} and g.state = 'waiting' and ${suggesterOf(db)} = ${listener}
    order by g.id limit ${MAX_BATCH}`
  return runBatch(
    waiting.map(({ id }) => id),
    (id, batch) =>
      db.begin(async (tx) => {
        const input = { subject: 'suggestion', subjectId: id, action: 'approve' } as const
        if (!(await SUGGESTION_CASES.lock(tx, id))) return null
        return joinBatch(tx, await applyDecision(tx, env, steward, input, batch), batch)
      }),
  )
}

/**
 * Undoes the decisions of a batch that stand, the last one first; `count` is called before each.
 * @throws HttpError 404 for an unknown batch, 429 when `count` refuses the first.
 */
export async function undoBatch(
  db: Database,
  env: Env,
  steward: SessionUser,
  batch: string,
  count: () => Promise<void>,
): Promise<BatchResult> {
  const [known] = await db`select from decisions where batch = ${batch} limit 1`
  if (!known) throw new HttpError(404, 'There is no such batch.')
  const standingDecisions = await db<{ id: string }[]>`
    select id from decisions d where batch = ${batch} and not exists (
      select from decisions u where u.undoes = d.id)
    order by id desc`
  return runBatch(
    standingDecisions.map(({ id }) => id),
    async (id, next) => {
      await count()
      return db.begin(async (tx) => {
        const base = await lockBase(tx, steward, id)
        const [undone] = await tx`select from decisions where undoes = ${id}`
        if (undone) return null
        return joinBatch(tx, await applyUndo(tx, env, steward, id, base, next), next)
      })
    },
  )
}

/** A conflict in one case does not stop the others. `work` returns null for what somebody else did meanwhile. */
async function runBatch(
  ids: string[],
  work: (id: string, batch: string | null) => Promise<string | null>,
): Promise<BatchResult> {
  const result: BatchResult = { batch: null, decided: 0, left: 0 }
  for (const id of ids) {
    try {
      const decisionId = await work(id, result.batch)
      if (decisionId === null) continue
      result.batch ??= decisionId
      result.decided += 1
    } catch (error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error
      if (error.status === 429 && result.decided === 0) throw error
      result.left += 1
    }
  }
  return result
}

/** The first decision gives the batch its id. Returns the decision's id. */
async function joinBatch(tx: Queryable, decision: string, batch: string | null): Promise<string> {
  if (batch === null) await tx`update decisions set batch = id where id = ${decision}`
  return decision
}
