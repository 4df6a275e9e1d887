import { expect, test } from 'vitest'
import { matchVideo } from './verifySongs.ts'

const alison = { artist: 'Slowdive', title: 'Alison' }

test.each([
  ['an official video', 'Slowdive - Alison (Official Video)', 'SlowdiveVEVO'],
  ['a topic channel', 'Alison', 'Slowdive - Topic'],
  ['other case and punctuation', 'ALISON … slowdive!', 'shoegaze archive'],
])('%s is a full match', (_, title, channel) => {
  expect(matchVideo(alison, { title, channel })).toEqual({ score: 100, titleMatch: true, artistMatch: true })
})

test('a cover version scores less', () => {
  expect(matchVideo(alison, { title: 'Alison - Slowdive (guitar cover)', channel: 'Ann' }).score).toBe(80)
  expect(
    matchVideo({ artist: 'Cover', title: 'Alison' }, { title: 'Cover - Alison', channel: 'Ann' }).score,
  ).toBe(100)
})

test('another song of the artist, and another artist, score low', () => {
  expect(matchVideo(alison, { title: 'Slowdive - When the Sun Hits', channel: 'Slowdive' })).toEqual({
    score: 50,
    titleMatch: false,
    artistMatch: true,
  })
  expect(matchVideo(alison, { title: 'Elvis Costello - Alison', channel: null })).toEqual({
    score: 50,
    titleMatch: true,
    artistMatch: false,
  })
  expect(matchVideo(alison, { title: 'Raining Blood', channel: 'Slayer' }).score).toBe(0)
})

test('a good match needs the title and the artist (diagnostics-7)', () => {
  const song = { artist: 'Kacey Musgraves', title: 'Slow Burn' }

  expect(matchVideo(song, { title: 'Kacey Musgraves - Slow Down', channel: null })).toEqual({
    score: 69,
    titleMatch: false,
    artistMatch: true,
  })
  expect(matchVideo(song, { title: 'Kacey Jones - Slow Burn', channel: null })).toEqual({
    score: 69,
    titleMatch: true,
    artistMatch: false,
  })
})

test('70 percent of the words make a match, fewer do not (diagnostics-7)', () => {
  const long = { artist: 'A', title: 'one two three four five six seven eight nine ten' }
  const video = (words: number) => ({ title: long.title.split(' ').slice(0, words).join(' '), channel: 'A' })

  expect(matchVideo(long, video(7)).titleMatch).toBe(true)
  expect(matchVideo(long, video(6)).titleMatch).toBe(false)
})

test('words without spaces between them are found', () => {
  expect(
    matchVideo({ artist: '山下達郎', title: '夏への扉' }, { title: '山下達郎夏への扉MV', channel: null })
      .score,
  ).toBe(100)
})
