import * as contract from '../../contract/desk.ts'
import { reportSubject, withdrawReport as withdrawReportCall } from '../../contract/reports.ts'
import { rankOf } from '../auth/accountRights.ts'
import type { Context } from '../context.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route, type SessionUser } from '../http/route.ts'
import { listCases } from './cases.ts'
import { decide } from './decide.ts'
import { listDecisions } from './decisions.ts'
import { submitReport, withdrawReport } from './reports.ts'
import { approveTrusted, undoBatch } from './trusted.ts'
import { undo } from './undo.ts'

const REPORTS_PER_DAY = defineLimit({
  name: 'reports',
  max: 60,
  seconds: 86_400,
  message: 'You have reported a lot today. Please come back tomorrow.',
  counts: 'reports',
  per: 'listener',
})

/** So that a stolen session, or an angry steward, does not empty the catalogue before others notice. */
const CHANGES_PER_HOUR = defineLimit({
  name: 'desk-changes',
  max: 100,
  seconds: 3600,
  message: 'You have changed a lot within an hour. Please wait a while.',
  counts: 'decisions that correct, retire, block or undo',
  per: 'listener',
})

/** Operators, who may have to undo what a steward did, have no limit. */
async function countChange({ db, env }: Context, user: SessionUser): Promise<void> {
  if (rankOf(env, user) === 'steward') await enforceLimit(db, CHANGES_PER_HOUR, user.id)
}

export const deskRoutes: Route<Context>[] = [
  route(reportSubject, async ({ user, body }, { db }: Context) => {
    await enforceLimit(db, REPORTS_PER_DAY, user.id)
    return submitReport(db, user.id, body)
  }),

  route(withdrawReportCall, ({ user, params }, { db }: Context) => withdrawReport(db, user.id, params.id)),

  route(contract.listCases, ({ user, query }, { db, env }: Context) =>
    listCases(db, env, user.id, query.offset),
  ),

  route(contract.decideCase, async ({ user, body }, context: Context) => {
    if (['correct', 'retire', 'block'].includes(body.action)) await countChange(context, user)
    return decide(context.db, context.env, user, body)
  }),

  route(contract.undoDecision, async ({ user, params }, context: Context) => {
    await countChange(context, user)
    return undo(context.db, context.env, user, params.id)
  }),

  route(contract.listDecisions, ({ user, query }, { db, env }: Context) =>
    listDecisions(db, rankOf(env, user), user.id, query.before ?? null),
  ),

  route(contract.approveTrusted, ({ user, params }, { db, env }: Context) =>
    approveTrusted(db, env, user, params.id),
  ),

  route(contract.undoBatch, ({ user, params }, context: Context) =>
    undoBatch(context.db, context.env, user, params.id, () => countChange(context, user)),
  ),
]
