import { expect, test } from 'vitest'
import { formatLeastHeardHalf, formatLittleHeard } from './FairnessPage.tsx'

test.each([
  [{ songs: 22, plays: 240, halfPlays: 74 }, 'The least-heard half of 22 songs got 30\u00a0% of 240 plays.'],
  [
    { songs: 1584, plays: 200, halfPlays: 58 },
    'The least-heard half of 1,584 songs got 29\u00a0% of 200 plays.',
  ],
  [
    { songs: 2, plays: 2000, halfPlays: 1000 },
    'The least-heard half of 2 songs got 50\u00a0% of 2,000 plays.',
  ],
  [
    { songs: 9, plays: 201, halfPlays: 2 },
    'The least-heard half of 9 songs got less than 1\u00a0% of 201 plays.',
  ],
  [{ songs: 9, plays: 201, halfPlays: 0 }, 'The least-heard half of 9 songs got 0\u00a0% of 201 plays.'],
])('community-21: the share of the least-heard half: %j', (tail, text) => {
  expect(formatLeastHeardHalf(tail)).toBe(text)
})

test.each([
  [[0, 0, 0], 'Every song has five plays or more.'],
  [[1, 0, 0], '1 song has fewer than five plays.'],
  [[1, 1, 1], '1 song has fewer than five plays: 1 was never heard, 1 is new.'],
  [[1200, 0, 2], '1,200 songs have fewer than five plays: 2 were never heard.'],
  [[6, 3, 0], '6 songs have fewer than five plays: 3 are new.'],
] as const)(
  'community-20: songs with fewer than five plays, the new and the unheard: %j',
  ([littleHeard, littleHeardNew, neverHeard], text) => {
    expect(formatLittleHeard({ littleHeard, littleHeardNew, neverHeard })).toBe(text)
  },
)
