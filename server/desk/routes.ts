import * as contract from '../../contract/desk.ts'
import { reportSubject, withdrawReport as withdrawReportCall } from '../../contract/reports.ts'
import type { Context } from '../context.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { listCases } from './cases.ts'
import { decide } from './decide.ts'
import { listDecisions } from './decisions.ts'
import { submitReport, withdrawReport } from './reports.ts'
import { approveTrusted, undoBatch } from './trusted.ts'
import { undo } from './undo.ts'

const REPORTS_PER_HOUR = defineLimit({
  name: 'reports',
  max: 60,
  seconds: 3600,
  message: 'You have reported a lot. Please wait an hour.',
  counts: 'reports',
  per: 'listener',
})

export const deskRoutes: Route<Context>[] = [
  route(reportSubject, async ({ user, body }, { db }: Context) => {
    await enforceLimit(db, REPORTS_PER_HOUR, user.id)
    return submitReport(db, user.id, body)
  }),

  route(withdrawReportCall, ({ user, params }, { db }: Context) => withdrawReport(db, user.id, params.id)),

  route(contract.listCases, ({ user, query }, { db, env }: Context) =>
    listCases(db, env, user.id, query.offset),
  ),

  route(contract.decideCase, ({ user, body }, { db, env }: Context) => decide(db, env, user, body)),

  route(contract.undoDecision, ({ user, params }, { db, env }: Context) => undo(db, env, user, params.id)),

  route(contract.listDecisions, ({ user, query }, { db }: Context) =>
    listDecisions(db, user.id, query.before ?? null),
  ),

  route(contract.approveTrusted, ({ user, params }, { db, env }: Context) =>
    approveTrusted(db, env, user, params.id),
  ),

  route(contract.undoBatch, ({ user, params }, { db, env }: Context) => undoBatch(db, env, user, params.id)),
]
