import { expect, test } from 'vitest'
import { countExplored, formatFigures, formatNeighbours, nearestNeighbours } from './formatMicrogenre.ts'

test.each([
  [{ bangers: 3, ratings: 8, songCount: 22 }, '3 bangers of 8 rated, 22 songs'],
  [{ bangers: 1, ratings: 1, songCount: 1 }, '1 banger of 1 rated, 1 song'],
  [{ bangers: 0, ratings: 2, songCount: 30 }, '0 bangers of 2 rated, 30 songs'],
  [{ bangers: 0, ratings: 0, songCount: 30 }, 'Nothing rated yet, 30 songs'],
])('discover-84: the figures of %j', (figures, text) => {
  expect(formatFigures(figures)).toBe(text)
})

test('discover-83, discover-88: what is explored, and what is near', () => {
  const one = { bangers: 0, ratings: 1, songCount: 3 }
  expect(countExplored([one, one, { ...one, ratings: 0 }])).toBe(2)
  expect(formatNeighbours([{ name: 'dream pop' }, { name: 'slowcore' }])).toBe('Near: dream pop, slowcore')
  // A server of the version before does not say.
  expect(nearestNeighbours([], {})).toEqual([])
})
