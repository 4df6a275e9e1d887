import { expect, test } from 'vitest'
import { matchScore } from './matchScore.ts'

const wanted = { artist: 'Sigur Rós', title: 'Svefn-g-englar' }

test.each([
  ['itself', { artist: 'Sigur Rós', title: 'Svefn-g-englar' }, 100],
  ['without accents, in other case', { artist: 'SIGUR ROS', title: 'svefn g englar' }, 100],
  ['an edition', { artist: 'Sigur Rós', title: 'Svefn-g-englar (2009 Remaster)' }, 100],
  ['nothing of it', { artist: 'Slayer', title: 'Raining Blood' }, 0],
])('%s', (_, found, score) => {
  expect(matchScore(wanted, found)).toBe(score)
})

test('the title alone, or the artist alone, is not enough', () => {
  expect(matchScore(wanted, { artist: 'Karaoke Kings', title: wanted.title })).toBeLessThan(70)
  expect(matchScore(wanted, { artist: wanted.artist, title: 'Hoppípolla' })).toBeLessThan(70)
})

test('another song of the same artist is no match, even with a common word', () => {
  const slowBurn = { artist: 'Kacey Musgraves', title: 'Slow Burn' }

  expect(matchScore(slowBurn, { ...slowBurn, title: 'Slow Down' })).toBe(69)
  expect(matchScore(slowBurn, { ...slowBurn, artist: 'Kacey Jones' })).toBe(69)
  expect(matchScore({ ...slowBurn, title: 'Love' }, { ...slowBurn, title: 'Love Me Do' })).toBe(69)
})

test.each([
  ['an edition after a dash', { artist: 'Slowdive', title: 'Alison - 2005 Remaster' }],
  ['the original mix', { artist: 'Slowdive', title: 'Alison (Original Mix)' }],
  ['the radio edit', { artist: 'Slowdive', title: 'Alison - Radio Edit' }],
  ['a guest in the title', { artist: 'Slowdive', title: 'Alison (feat. Neil Halstead)' }],
])('%s is the same song', (_, found) => {
  expect(matchScore({ artist: 'Slowdive', title: 'Alison' }, found)).toBe(100)
})

test('a second artist in only one of the names is still a match', () => {
  const together = { artist: 'Slowdive & Grouper', title: 'Alison' }

  expect(matchScore(together, { ...together, artist: 'Slowdive' })).toBeGreaterThanOrEqual(70)
  expect(matchScore({ ...together, artist: 'Slowdive' }, together)).toBeGreaterThanOrEqual(70)
})

test('"the", ampersands and apostrophes are ignored', () => {
  expect(
    matchScore(
      { artist: 'The Toasters', title: "Don't Let & Go" },
      { artist: 'Toasters', title: 'Dont Let and Go' },
    ),
  ).toBe(100)
})

test('names without letters must be equal', () => {
  expect(matchScore({ artist: '!!!', title: '???' }, { artist: '!!!', title: '???' })).toBe(100)
  expect(matchScore({ artist: '!!!', title: '???' }, { artist: '***', title: '---' })).toBe(0)
})
