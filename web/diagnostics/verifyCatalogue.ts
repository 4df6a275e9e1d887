import { countSongs, VERIFICATION_BATCH, verifyBatch } from '../../contract/diagnostics.ts'
import { call } from '../api/call.ts'
import { reasonOf } from './explainFailure.ts'
import { pause } from './pause.ts'
import type { VerificationEvent } from './verificationRun.ts'

/** Milliseconds between batches (diagnostics-2). */
const PAUSE = 1000

/**
 * Verifies all songs in batches and reports each result. Ends with 'completed' or 'failed', or silently when
 * aborted. It waits for a batch in flight even then, because the server accepts one at a time (diagnostics-8).
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
