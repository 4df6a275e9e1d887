import { sweepLinks } from './auth/magicLink.ts'
import { sweepSessions } from './auth/sessions.ts'
import { backUpWhenDue } from './backups/backUp.ts'
import { createVideoCheck } from './catalogue/checkVideos.ts'
import { createGrowth } from './catalogue/growth/growWhereLow.ts'
import { createAudioCheck } from './catalogue/verifyAudio.ts'
import { countLongTail } from './community/longTail.ts'
import { sweepSongDays } from './community/rollUp.ts'
import type { Context } from './context.ts'
import { sweepDesk } from './desk/sweepDesk.ts'
import { sweepFeedback } from './feedback/feedback.ts'
import { mailPendingFeedback } from './feedback/mailFeedback.ts'
import { foldTexts } from './foldTexts.ts'
import { sweepLimits } from './http/limits/limits.ts'
import { sweepImports } from './imports/sweepImports.ts'
import { sweepUndoneRatings } from './library/ratings.ts'
import { sendRatings } from './listenbrainz/sendRatings.ts'
import { sweepReports } from './playback/health.ts'
import type { Job } from './process/runJobs.ts'
import { removeFollows } from './profiles/deleteAccount.ts'
import { computeAffinities } from './taste/affinities.ts'
import { learnWhenDue } from './taste/learnNightly.ts'
import { drawMap } from './taste/map.ts'
import { sweepUploads } from './uploads/discardUpload.ts'
import { fetchProviderPictures } from './uploads/providerPictures.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** All jobs of the server but the roll-up. Operators see them by these names. */
export function serverJobs(context: Context): Job[] {
  const { db, env, log, integrations } = context
  const { store, mailer } = integrations
  const { BACKUP_DIR, CATALOGUE_GROW, CATALOGUE_VERIFY, CONTACT_EMAIL, SMTP_URL } = env
  const jobs: Job[] = [
    { name: 'sweep limits', every: 10 * MINUTE, run: (signal) => sweepLimits(db, signal) },
    { name: 'sweep sessions', every: 10 * MINUTE, run: (signal) => sweepSessions(db, signal) },
    { name: 'sweep sign-in links', every: 10 * MINUTE, run: (signal) => sweepLinks(db, signal) },
    { name: 'sweep undone ratings', every: HOUR, run: (signal) => sweepUndoneRatings(db, signal) },
    { name: 'sweep desk', every: HOUR, run: (signal) => sweepDesk(db, signal) },
    { name: 'sweep song days', every: HOUR, run: (signal) => sweepSongDays(db, signal) },
    { name: 'sweep playback reports', every: HOUR, run: (signal) => sweepReports(db, signal) },
    { name: 'sweep feedback', every: HOUR, run: (signal) => sweepFeedback(db, signal) },
    // What deleted accounts left.
    { name: 'remove follows', every: MINUTE, run: (signal) => removeFollows(db, signal) },
    { name: 'sweep uploads', every: MINUTE, run: (signal) => sweepUploads(db, store, signal) },
    { name: 'sweep imports', every: 10 * MINUTE, run: (signal) => sweepImports(context, signal) },
    { name: 'fetch pictures', every: 5, run: (signal) => fetchProviderPictures(context, signal) },
    { name: 'send to ListenBrainz', every: 10, run: (signal) => sendRatings(context, signal) },
    // An earlier version may still be writing.
    { name: 'fold texts', every: MINUTE, run: (signal) => foldTexts(db, signal) },
    { name: 'compute affinities', every: HOUR, run: () => computeAffinities(db) },
    { name: 'draw the map', every: 10 * MINUTE, run: (signal) => drawMap(db, new Date(), signal) },
    { name: 'count the long tail', every: HOUR, run: () => countLongTail(db) },
    { name: 'learn tastes', every: 10 * MINUTE, run: (signal) => learnWhenDue(db, log, signal) },
  ]
  if (BACKUP_DIR)
    jobs.push({
      name: 'back up',
      every: 10 * MINUTE,
      run: (signal) => backUpWhenDue(db, env, log, signal),
    })
  if (CATALOGUE_GROW) jobs.push({ name: 'grow the catalogue', every: 10, run: createGrowth(context) })
  if (CATALOGUE_VERIFY)
    jobs.push(
      { name: 'check videos', every: HOUR, run: createVideoCheck(context) },
      { name: 'check whole recordings', every: HOUR, run: createAudioCheck(context) },
    )
  if (CONTACT_EMAIL && SMTP_URL)
    jobs.push({
      name: 'mail feedback',
      every: 15,
      run: (signal) => mailPendingFeedback(db, mailer, CONTACT_EMAIL, signal),
    })
  return jobs
}
