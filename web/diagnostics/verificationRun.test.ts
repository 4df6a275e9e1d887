import { describe, expect, test } from 'vitest'
import type { VerifiedSong } from '../../contract/diagnostics.ts'
import { nextRun, outcomeOf, startedRun, type VerificationEvent } from './verificationRun.ts'

const song = (youtubeId: string | null, youtubeAccessible = false): VerifiedSong => ({
  songId: '1',
  title: 'A',
  artist: 'B',
  youtubeId,
  spotifyId: null,
  youtubeAccessible,
  youtubeTitle: null,
  qualityScore: null,
  titleMatch: false,
  artistMatch: false,
  error: null,
})

const checked = (currentBatch: number, progress: number): VerificationEvent => ({
  type: 'checked',
  answer: {
    results: [song('abcdefghijk', true), song('abcdefghijk'), song(null)],
    stats: { total: 3, accessible: 1, blocked: 1, missing: 1, goodMatches: 1, poorMatches: 0 },
    progress,
    currentBatch,
    completed: false,
  },
})

describe('nextRun', () => {
  test('results and counters add up over batches (diagnostics-2, diagnostics-6)', () => {
    const run = [checked(1, 33), checked(2, 67)].reduce(nextRun, startedRun)
    expect(run).toMatchObject({
      phase: 'running',
      batch: 2,
      progress: 67,
      stats: { total: 6, accessible: 2, blocked: 2, missing: 2, goodMatches: 2, poorMatches: 0 },
    })
    expect(run.results).toHaveLength(6)
  })

  test('a failure stops the run and keeps its results (diagnostics-10)', () => {
    const failure = { what: 'Verification failed', reason: 'The database is away.' }
    const run = nextRun(nextRun(startedRun, checked(1, 33)), { type: 'failed', ...failure })
    expect(run).toMatchObject({ phase: 'stopped', failure, progress: 33 })
    expect(run.results).toHaveLength(3)
  })

  test('only a running run can be stopped', () => {
    const completed = nextRun(startedRun, { type: 'completed' })
    expect(nextRun(completed, { type: 'stopped' })).toBe(completed)
    expect(nextRun(startedRun, { type: 'stopped' }).phase).toBe('stopped')
  })
})

test('missing has no video id; blocked has an inaccessible one (diagnostics-5)', () => {
  expect([song(null), song('abcdefghijk'), song('abcdefghijk', true)].map(outcomeOf)).toEqual([
    'missing',
    'blocked',
    'accessible',
  ])
})
