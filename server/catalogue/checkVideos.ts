import { abortAfter } from '../abortAfter.ts'
import type { Context } from '../context.ts'
import { createYoutube } from '../integrations/youtube.ts'
import { MAX_RUN, NoAnswer } from './askServices.ts'
import { verifyVideos } from './verify.ts'

/** Videos per step, of the twenty a second that all processes may ask about, and the milliseconds between steps. */
const STEP_SIZE = 5
const STEP_INTERVAL = 1050

/** An unanswered question waits for the next run. */
const NO_RETRY = { pause: 0, tries: 1 }

/** Checks the videos that are due (catalogue-19). While YouTube does not answer it says so once. */
export function createVideoCheck(
  { db, env, log }: Pick<Context, 'db' | 'env' | 'log'>,
  { interval = STEP_INTERVAL, maxRun = MAX_RUN } = {},
): (signal: AbortSignal) => Promise<unknown> {
  // Each failed call would be a line. The key's quota is for people.
  const youtube = createYoutube(
    { ...env, YOUTUBE_API_KEY: undefined },
    log.child({}, { level: 'silent' }),
    db,
  )
  let isSilent = false
  return async (signal) => {
    try {
      const counts = await verifyVideos(db, youtube, {
        onlyDue: true,
        size: STEP_SIZE,
        interval,
        signal: abortAfter(maxRun, signal),
        retry: NO_RETRY,
      })
      if (counts.done === 0) return 'not due'
      isSilent = false
      const { done, playable, unplayable, replaced } = counts
      return log.info({ done, playable, unplayable, replaced }, 'videos checked')
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      if (!isSilent) log.warn('YouTube does not answer, or calls all videos dead: videos are checked later')
      isSilent = true
      return 'not due'
    }
  }
}
