import { expect, test } from 'vitest'
import { matchLevel, type VerifiedSong } from '../../contract/diagnostics.ts'
import { nextRun, startedRun, verificationCsv, verificationFileName } from './verificationRun.ts'

const song: VerifiedSong = {
  songId: '7',
  title: '=1+1,"x"',
  artist: 'Ådna',
  youtubeId: '-abcdefghij',
  spotifyId: null,
  youtubeAccessible: true,
  youtubeTitle: 'Plain',
  qualityScore: 85,
  titleMatch: true,
  artistMatch: false,
  error: null,
}

test('only a running run can be stopped', () => {
  const completed = nextRun(startedRun, { type: 'completed' })
  expect(nextRun(completed, { type: 'stopped' })).toBe(completed)
  expect(nextRun(startedRun, { type: 'stopped' }).phase).toBe('stopped')
})

test('a header and a line for each result, quoted and safe from formulas (diagnostics-9)', () => {
  expect(verificationCsv([song])).toBe(
    '\uFEFFsongId,title,artist,youtubeId,spotifyId,youtubeAccessible,youtubeTitle,qualityScore,titleMatch,artistMatch,error\r\n' +
      `7,"'=1+1,""x""",Ådna,'-abcdefghij,,true,Plain,85,true,false,\r\n`,
  )
})

test('the file name contains the day (diagnostics-9)', () => {
  expect(verificationFileName(new Date(2026, 2, 4, 23, 59))).toBe('youtube-verification-2026-03-04.csv')
})

test.each([
  [100, 'good'],
  [80, 'good'],
  [79, 'fair'],
  [60, 'fair'],
  [59, 'poor'],
  [0, 'poor'],
])('a match of %i is %s (diagnostics-18)', (score, level) => {
  expect(matchLevel(score)).toBe(level)
})
