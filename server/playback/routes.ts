import * as contract from '../../contract/playback.ts'
import { announceLateAchievement } from '../achievements/achievements.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { storeReports } from './health.ts'
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

export const playbackRoutes: Route<Context>[] = [
  route(contract.searchPreview, async ({ user, query }, { db, integrations }: Context) => {
    await enforceLimit(db, PREVIEW_LIMIT, user.id)
    return findPreview(db, integrations.deezer, { ...query, fresh: query.fresh === 'true' })
  }),

  route(contract.reportProgress, async ({ user, body }, { db }: Context) => {
    await storeProgress(db, user.id, body)
    return { achievement: await announceLateAchievement(db, user.id) }
  }),

  route(contract.reportPlayback, async ({ user, body }, { db }: Context) => {
    await enforceLimit(db, REPORT_LIMIT, user.id)
    await storeReports(db, user.id, body.reports)
    return { success: true }
  }),
]

/** Stores how far a listener heard a song: the maximum of all reports, up to the song's length (playback-20). */
async function storeProgress(
  db: Database,
  listener: string,
  {
    songId,
    secondsListened,
    totalDuration,
  }: { songId: string; secondsListened: number; totalDuration: number },
): Promise<void> {
  const seconds = Math.min(secondsListened, totalDuration)
  const stored = await db`
    insert into listening_progress as p (user_id, song_id, seconds_listened, total_duration)
    select ${listener}, s.id, ${seconds}, ${totalDuration} from songs s
    where s.id = ${songId}
      -- A listener whose account is gone gets no new rows.
      and exists (select from listener_stats l where l.user_id = ${listener} for key share)
    on conflict (user_id, song_id) do update set
      seconds_listened = greatest(p.seconds_listened, least(excluded.seconds_listened, excluded.total_duration)),
      total_duration = greatest(p.seconds_listened, excluded.total_duration),
      updated_at = excluded.updated_at`
  if (stored.count === 0) throw new HttpError(404, 'There is no such song.')
}
