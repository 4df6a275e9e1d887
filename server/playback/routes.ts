import * as contract from '../../contract/playback.ts'
import type { Context } from '../context.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { storeReports } from './health.ts'
import type { ProgressQueue } from './ProgressQueue.ts'
import { findPreview } from './preview.ts'

const PREVIEW_LIMIT = defineLimit({
  name: 'preview',
  max: 120,
  seconds: 60,
  message: 'Too many previews were requested. Please wait a minute.',
  counts: 'previews',
  per: 'listener',
})

const REPORT_LIMIT = defineLimit({
  name: 'playback-reports',
  max: 60,
  seconds: 60,
  message: 'Too many reports were sent. Please wait a minute.',
  counts: 'playback reports',
  per: 'listener',
})

export const playbackRoutes = (progress: ProgressQueue): Route<Context>[] => [
  route(contract.searchPreview, async ({ user, query }, { db, integrations }: Context) => {
    await enforceLimit(db, PREVIEW_LIMIT, user.id)
    return findPreview(db, integrations.deezer, user.id, { ...query, fresh: query.fresh === 'true' })
  }),

  route(contract.reportProgress, ({ user, body }) => progress.report(user.id, body)),

  route(contract.reportPlayback, async ({ user, body }, { db }: Context) => {
    await enforceLimit(db, REPORT_LIMIT, user.id)
    await storeReports(db, user.id, body.reports)
    return { success: true }
  }),
]
