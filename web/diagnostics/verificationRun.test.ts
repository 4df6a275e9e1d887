import { describe, expect, test } from 'vitest'
import type { VerifiedSong } from '../../contract/diagnostics.ts'
import {
  matchTone,
  nextRun,
  outcomeOf,
  startedRun,
  type VerificationEvent,
  verificationCsv,
  verificationFileName,
} from './verificationRun.ts'

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

test('a header and a line for each result, quoted and safe from formulas (diagnostics-9)', () => {
  expect(verificationCsv([{ ...song('-abcdefghij', true), ...PECULIAR }])).toBe(
    '\uFEFFsongId,title,artist,youtubeId,spotifyId,youtubeAccessible,youtubeTitle,qualityScore,titleMatch,artistMatch,error\r\n' +
      `7,"'=1+1,""x""",Ådna,'-abcdefghij,,true,Plain,85,true,false,\r\n`,
  )
})

test('the file name contains the day (diagnostics-9)', () => {
  expect(verificationFileName(new Date(2026, 2, 4, 23, 59))).toBe('youtube-verification-2026-03-04.csv')
})

const PECULIAR = {
  songId: '7',
  title: '=1+1,"x"',
  artist: 'Ådna',
  youtubeTitle: 'Plain',
  qualityScore: 85,
  titleMatch: true,
}

test.each([
  [100, 'good'],
  [80, 'good'],
  [79, 'fair'],
  [60, 'fair'],
  [59, 'poor'],
  [0, 'poor'],
])('a match of %i is %s (diagnostics-18)', (score, tone) => {
  expect(matchTone(score)).toBe(tone)
})
