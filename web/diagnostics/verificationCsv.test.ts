import { expect, test } from 'vitest'
import type { VerifiedSong } from '../../contract/diagnostics.ts'
import { verificationCsv, verificationFileName } from './verificationCsv.ts'

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

test('a header and a line for each result, quoted and safe from formulas (diagnostics-9)', () => {
  expect(verificationCsv([song])).toBe(
    '\uFEFFsongId,title,artist,youtubeId,spotifyId,youtubeAccessible,youtubeTitle,qualityScore,titleMatch,artistMatch,error\r\n' +
      `7,"'=1+1,""x""",Ådna,'-abcdefghij,,true,Plain,85,true,false,\r\n`,
  )
})

test('the file name contains the day (diagnostics-9)', () => {
  expect(verificationFileName(new Date(2026, 2, 4, 23, 59))).toBe('youtube-verification-2026-03-04.csv')
})
