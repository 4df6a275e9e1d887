import { countSongs, VERIFICATION_BATCH, verifyBatch } from '../../contract/diagnostics.ts'
import { call } from '../api/call.ts'
import { reasonOf } from './explainFailure.ts'
import { pause } from './pause.ts'
import type { VerificationEvent } from './verificationRun.ts'

/** Milliseconds between two batches (spec §9). */
const PAUSE = 1000

/**
 * Checks the videos of all songs, batch after batch, and tells what came of each. Ends with 'completed' or
 * 'failed', or without a word once it was aborted; a batch that is on its way is waited for even then, for the
 * server takes one at a time (D-20).
 */
export async function* verifyCatalogue(signal: AbortSignal): AsyncGenerator<VerificationEvent> {
  let doing = 'Failed to get song count'
  try {
    const { total } = await call(countSongs)
    yield { type: 'counted', songs: total }
    doing = 'Verification failed'
    for (let offset = 0; !signal.aborted; offset += VERIFICATION_BATCH) {
      const answer = await call(verifyBatch, { body: { batchSize: VERIFICATION_BATCH, offset } })
      yield { type: 'checked', answer }
      if (answer.completed || offset + VERIFICATION_BATCH >= total) return yield { type: 'completed' }
      await pause(PAUSE, signal)
    }
  } catch (error) {
    yield { type: 'failed', what: doing, reason: reasonOf(error) }
  }
}
