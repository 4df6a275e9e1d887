import type { Database } from '../db/connection.ts'
import type { RetryOptions } from './askUntilAnswered.ts'
import { type FillCounts, fillFromDeezer } from './fillFromDeezer.ts'
import { type IdentityCounts, type IdentityServices, identifySongs } from './identity/identifySongs.ts'

export interface EnrichCounts {
  filled: FillCounts
  /** Null until the first part is done. */
  identified: IdentityCounts | null
  wasInterrupted: boolean
}

export interface EnrichOptions {
  signal?: AbortSignal
  onProgress?: (counts: EnrichCounts) => void
  retry?: RetryOptions
}

/**
 * Completes songs: first tracks, durations and covers from Deezer, eight a second; then their identity, for which the
 * durations are evidence. Existing values stay. An interrupted run continues where it stopped.
 * @throws BadInput when a service does not answer.
 */
export async function enrichSongs(
  db: Database,
  services: IdentityServices,
  { signal, onProgress, retry }: EnrichOptions = {},
): Promise<EnrichCounts> {
  const filled = await fillFromDeezer(db, services.deezer, {
    signal,
    retry,
    onProgress: (now) => onProgress?.({ filled: now, identified: null, wasInterrupted: false }),
  })
  if (filled.wasInterrupted) return { filled, identified: null, wasInterrupted: true }
  const identified = await identifySongs(db, services, {
    signal,
    retry,
    onProgress: (now) => onProgress?.({ filled, identified: now, wasInterrupted: false }),
  })
  return { filled, identified, wasInterrupted: identified.wasInterrupted }
}
