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

test('"the", ampersands and apostrophes make no difference', () => {
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
