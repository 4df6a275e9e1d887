import type { Decision, DeskAction, decideCase } from '../../contract/desk.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { Transaction } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import type { SessionUser } from '../http/route.ts'

export type DecisionBody = BodyOf<typeof decideCase>
export type Changes = Decision['changes']

/** What applying a decision needs. */
export interface DecisionContext {
  tx: Transaction
  env: Env
  /** Who decides. */
  steward: SessionUser
}

/** What a decision did, for the trail and for its undo. */
export interface DecisionOutcome {
  /** The subject's name. */
  label: string
  songId?: string
  changes?: Changes
  undoData?: UndoData
}

/** What an undo needs besides the changes. */
interface UndoData {
  /** Of a share link that ended. */
  token?: string | null
  /** A song was moved to a new one in another microgenre. */
  isMove?: boolean
  /** Why a video had not been taken. */
  refusal?: string | null
}

/** A decision in the trail, as its undo needs it. */
export interface StoredDecision {
  id: string
  subject: DecisionBody['subject']
  subjectId: string
  action: DeskAction
  reason: string | null
  songId: string | null
  changes: Changes
  undoData: UndoData
}

/** Applies, undoes and reapplies a decision. Each throws HttpError 409 when that is not possible. */
export interface Effect {
  decide(context: DecisionContext, input: DecisionBody): Promise<DecisionOutcome>
  undo(context: DecisionContext, decision: StoredDecision): Promise<void>
  /** By default `decide` runs again. */
  redo?(context: DecisionContext, decision: StoredDecision): Promise<void>
}

/** How the desk handles cases about one subject. */
export interface CaseHandler<Action extends DeskAction> {
  /** Locks the case, and returns whether it is open. @throws HttpError 404 when it never was. */
  lock(tx: Transaction, id: string): Promise<boolean>
  effects: Record<Action, Effect>
}

export const noSuchCase = () => new HttpError(404, 'There is no such case.')

export const conflict = (message: string) => new HttpError(409, message)

export const caseClosed = () => conflict('This case does not wait any more.')

/** The values that differ, as text. */
export function changesOf<T extends object>(before: T, after: T): Changes {
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value))
  return (Object.keys(after) as (keyof T & string)[])
    .map((field) => ({ field, before: text(before[field]), after: text(after[field]) }))
    .filter((change) => change.before !== change.after)
}
