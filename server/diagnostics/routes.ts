import { getCoverage } from '../../contract/coverage.ts'
import * as contract from '../../contract/diagnostics.ts'
import type { Context } from '../context.ts'
import { defineLimit, enforceLimit, withLock } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { listPlaybackHealth, verifySong } from '../playback/health.ts'
import { readAuthStatus, testUserCreation } from './authTest.ts'
import { readCoverage } from './coverage.ts'
import {
  countPreviews,
  findReplacement,
  readSamples,
  searchSpotify,
  verifyVideo,
} from './playbackDiagnostic.ts'
import { BAD_KEY, countSongs, serviceUnavailable, verifySongs } from './verifySongs.ts'

/** The page sends one batch a second (diagnostics-2). */
const VERIFICATION_BATCHES = defineLimit({
  name: 'verify-batch',
  max: 90,
  seconds: 60,
  message: 'Too many batches were verified. Please wait a minute.',
  counts: 'batches of verified videos',
  per: 'listener',
})
const USER_CREATION_TESTS = defineLimit({
  name: 'user-creation',
  max: 6,
  seconds: 60,
  message: 'Too many tests were run. Please wait a minute.',
  counts: 'tests of user creation',
  per: 'listener',
})
/** All other calls to outside services. */
const DIAGNOSTIC_CALLS = defineLimit({
  name: 'diagnostics',
  max: 60,
  seconds: 60,
  message: 'Too many requests. Please wait a minute.',
  counts: 'diagnostic calls',
  per: 'listener',
})
/** Each test is eight searches, of the forty in five seconds that listeners' previews also use. */
const PREVIEW_TESTS = defineLimit({
  ...DIAGNOSTIC_CALLS,
  name: 'preview-availability',
  max: 10,
  counts: 'tests of previews',
})
/** A batch takes five seconds at most. */
const BATCH_LOCK = { name: 'verify-batch-turn', seconds: 10, message: 'A batch is being verified already.' }

export const diagnosticsRoutes: Route<Context>[] = [
  route(contract.countSongs, async (_, { db }: Context) => ({ total: await countSongs(db) })),

  route(contract.verifyBatch, async ({ user, body }, { db, integrations }: Context) => {
    await enforceLimit(db, VERIFICATION_BATCHES, user.id)
    return withLock(db, BATCH_LOCK, user.id, () => verifySongs(db, integrations.youtube, body))
  }),

  route(contract.getAuthStatus, (_, { db, env, integrations }: Context) =>
    readAuthStatus(db, env, integrations.signIn),
  ),

  route(contract.testUserCreation, async ({ user }, { db }: Context) => {
    await enforceLimit(db, USER_CREATION_TESTS, user.id)
    return testUserCreation(db)
  }),

  route(contract.searchSpotify, async ({ user, query }, { db, integrations }: Context) => {
    await enforceLimit(db, DIAGNOSTIC_CALLS, user.id)
    return searchSpotify(integrations.spotify, query)
  }),

  route(contract.findReplacement, async ({ user, body }, { db, integrations }: Context) => {
    await enforceLimit(db, DIAGNOSTIC_CALLS, user.id)
    return findReplacement(integrations.youtube, body)
  }),

  route(contract.verifyVideo, async ({ user, params, query }, { db, integrations }: Context) => {
    await enforceLimit(db, DIAGNOSTIC_CALLS, user.id)
    return verifyVideo(integrations.youtube, params.videoId, { enhanced: query.strategy === 'enhanced' })
  }),

  route(contract.testPreviewAvailability, async ({ user }, { db, integrations }: Context) => {
    await enforceLimit(db, PREVIEW_TESTS, user.id)
    return countPreviews(integrations.deezer)
  }),

  route(contract.getSamples, (_, { db, env }: Context) => readSamples(db, env)),

  route(getCoverage, (_, { db }: Context) => readCoverage(db)),

  route(contract.listPlaybackHealth, (_, { db }: Context) => listPlaybackHealth(db)),

  route(contract.verifySong, async ({ user, params }, { db, integrations }: Context) => {
    await enforceLimit(db, DIAGNOSTIC_CALLS, user.id)
    const answer = await verifySong(db, integrations.youtube, params.songId)
    if (answer === 'bad-key') throw BAD_KEY
    if ('error' in answer) throw serviceUnavailable(answer.error)
    return { embeddable: answer.embeddable, error: answer.problem }
  }),
]
