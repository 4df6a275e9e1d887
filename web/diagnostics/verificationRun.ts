import { csvCell } from '../../contract/csvCell.ts'
import {
  countSongs,
  MAX_VERIFICATION_BATCH,
  type VerificationStats,
  type VerifiedSong,
  verifyBatch,
} from '../../contract/diagnostics.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { call } from '../api/call.ts'
import { failureReason, sleep } from './useTool.ts'

/** A run: idle, running, stopped, failed or completed (diagnostics-2). */
export interface VerificationRun {
  phase: 'idle' | 'running' | 'stopped' | 'completed'
  /** Songs in the catalogue when the run started; null until known. */
  songCount: number | null
  /** The last answered batch, from 1; 0 before the first. */
  batch: number
  /** Percent. */
  progress: number
  /** Of all batches so far (diagnostics-6). */
  stats: VerificationStats
  results: readonly VerifiedSong[]
  /** Why the run failed. */
  failure: Failure | null
}

/** `Verification failed` and the server's message. */
interface Failure {
  what: string
  reason: string
}

export type VerificationEvent =
  | { type: 'counted'; songs: number }
  | { type: 'checked'; response: ResponseOf<typeof verifyBatch> }
  | { type: 'completed' }
  | { type: 'stopped' }
  | ({ type: 'failed' } & Failure)

export const idleRun: VerificationRun = {
  phase: 'idle',
  songCount: null,
  batch: 0,
  progress: 0,
  stats: { total: 0, accessible: 0, blocked: 0, missing: 0, goodMatches: 0, poorMatches: 0 },
  results: [],
  failure: null,
}

export const startedRun: VerificationRun = { ...idleRun, phase: 'running' }

export function nextRun(run: VerificationRun, event: VerificationEvent): VerificationRun {
  switch (event.type) {
    case 'counted':
      return { ...run, songCount: event.songs }
    case 'checked': {
      const { currentBatch, progress, stats, results } = event.response
      return {
        ...run,
        batch: currentBatch,
        progress: Math.round(Math.min(100, Math.max(0, progress))),
        stats: addStats(run.stats, stats),
        results: [...run.results, ...results],
      }
    }
    case 'completed':
      return { ...run, phase: 'completed', progress: 100 }
    case 'stopped':
      return run.phase === 'running' ? { ...run, phase: 'stopped' } : run
    case 'failed':
      return { ...run, phase: 'stopped', failure: { what: event.what, reason: event.reason } }
  }
}

function addStats(a: VerificationStats, b: VerificationStats): VerificationStats {
  return {
    total: a.total + b.total,
    accessible: a.accessible + b.accessible,
    blocked: a.blocked + b.blocked,
    missing: a.missing + b.missing,
    goodMatches: a.goodMatches + b.goodMatches,
    poorMatches: a.poorMatches + b.poorMatches,
  }
}

export type Outcome = 'accessible' | 'blocked' | 'missing'

/** Missing: no video id. Blocked: a video that is not accessible (diagnostics-5). */
export function getOutcome({ youtubeId, youtubeAccessible }: VerifiedSong): Outcome {
  if (!youtubeId) return 'missing'
  return youtubeAccessible ? 'accessible' : 'blocked'
}

const columns = [
  'songId',
  'title',
  'artist',
  'youtubeId',
  'spotifyId',
  'youtubeAccessible',
  'youtubeTitle',
  'qualityScore',
  'titleMatch',
  'artistMatch',
  'error',
] as const satisfies readonly (keyof VerifiedSong)[]

/** The results as CSV with a header and a byte order mark, which makes spreadsheets read UTF-8 (diagnostics-9). */
export function verificationCsv(results: readonly VerifiedSong[]): string {
  const lines = results.map((result) => columns.map((column) => csvCell(result[column])).join(','))
  return `\uFEFF${[columns.join(','), ...lines].join('\r\n')}\r\n`
}

/** The file name, with the operator's local date. */
export function verificationFileName(now: Date): string {
  const padTwo = (n: number) => String(n).padStart(2, '0')
  const day = `${now.getFullYear()}-${padTwo(now.getMonth() + 1)}-${padTwo(now.getDate())}`
  return `youtube-verification-${day}.csv`
}

/** Milliseconds between batches (diagnostics-2). */
const BATCH_DELAY = 1000

/**
 * Verifies all songs in batches. The last event is 'completed' or 'failed', but an aborted run emits neither. It waits
 * for the batch in flight even then, because the server accepts one at a time (diagnostics-8).
 */
export async function* verifyCatalogue(signal: AbortSignal): AsyncGenerator<VerificationEvent> {
  let step = 'Failed to get song count'
  try {
    const { total } = await call(countSongs)
    yield { type: 'counted', songs: total }
    step = 'Verification failed'
    for (let offset = 0; !signal.aborted; offset += MAX_VERIFICATION_BATCH) {
      const response = await call(verifyBatch, { body: { batchSize: MAX_VERIFICATION_BATCH, offset } })
      yield { type: 'checked', response }
      if (response.completed || offset + MAX_VERIFICATION_BATCH >= total) return yield { type: 'completed' }
      await sleep(BATCH_DELAY, signal)
    }
  } catch (error) {
    yield { type: 'failed', what: step, reason: failureReason(error) }
  }
}
