import { abortAfter } from '../abortAfter.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import { type Archive, createArchive } from '../integrations/archive.ts'
import type { Job } from '../process/runJobs.ts'
import { MAX_RUN, rejectOnAbort, runInterruptible } from './askServices.ts'
import { CHECK_AGAIN_DAYS } from './videos/videoCandidates.ts'

/** More than an hourly check asks about. */
const MAX_DUE = 10_000

/** Then nothing answers, and the rest waits for the next run. */
const MAX_UNANSWERED = 3

interface AudioOptions {
  /** Only recordings that are due. */
  onlyDue?: boolean
  /** Reports without changing anything. */
  isDryRun?: boolean
  signal?: AbortSignal
}

/** Checks whole recordings that are not retired, the longest unchecked first. Each answer is stored at once. */
export async function verifyAudio(
  db: Database,
  archive: Archive,
  { onlyDue = false, isDryRun = false, signal }: AudioOptions,
): Promise<{ done: number; dead: number; unanswered: number }> {
  const counts = { done: 0, dead: 0, unanswered: 0 }
  const songs = await db<{ id: string; url: string }[]>`
    select id, audio->>'url' as url from songs
    where retired_at is null and audio is not null
      and (${!onlyDue} or audio_checked_at is null or audio_checked_at < now() - ${CHECK_AGAIN_DAYS} * interval '1 day')
    order by audio_checked_at nulls first, id limit ${onlyDue ? MAX_DUE : null}::int`
  await runInterruptible(async () => {
    let unanswered = 0
    for (const { id, url } of songs) {
      const answer = await rejectOnAbort(() => archive.check(url), signal)
      const plays = 'plays' in answer ? answer.plays : null
      counts.done += Number(plays !== null)
      counts.dead += Number(plays === false)
      counts.unanswered += Number(plays === null)
      // What is not answered is due again tomorrow, after the others.
      if (!isDryRun)
        await db`
          update songs set
            blocked_audio_url = case ${plays}::boolean when false then ${url} when true then null else blocked_audio_url end,
            audio_checked_at = now() - ${plays === null ? CHECK_AGAIN_DAYS - 1 : 0} * interval '1 day'
          where id = ${id} and audio->>'url' = ${url}`
      unanswered = 'plays' in answer ? 0 : unanswered + 1
      if (unanswered === MAX_UNANSWERED) return
    }
  }, signal)
  return counts
}

/** Without a line in the log for each call that fails. */
export function createAudioCheck({ db, env, log }: Pick<Context, 'db' | 'env' | 'log'>): Job['run'] {
  const archive = createArchive(env, log.child({}, { level: 'silent' }), db)
  return async (stop) => {
    const signal = abortAfter(MAX_RUN, stop)
    const { done, dead, unanswered } = await verifyAudio(db, archive, { onlyDue: true, signal })
    return done === 0 ? 'not due' : log.info({ done, dead, unanswered }, 'whole recordings checked')
  }
}
