import { expect, test } from 'vitest'
import { ratingPercent, splitSentence } from './ratingSplit.ts'

test('discover-40: the sentence gives the share of those who rated alike', () => {
  const split = { listeners: 48, bangers: 30 }
  expect(splitSentence('banger', split)).toBe('Banger for 62 % of 48 listeners')
  expect(splitSentence('bust', split)).toBe('Bust for 38 % of 48 listeners')
})

test.each([
  [{ listeners: 1000, bangers: 999 }, 99, 1],
  [{ listeners: 1000, bangers: 1 }, 1, 99],
  [{ listeners: 7, bangers: 7 }, 100, 0],
  [{ listeners: 50, bangers: 25 }, 50, 50],
])('of %j a percentage is 100 or 0 only when all agree', (split, banger, bust) => {
  expect(ratingPercent('banger', split)).toBe(banger)
  expect(ratingPercent('bust', split)).toBe(bust)
})
