import { expect, test } from 'vitest'
import { makeSong } from '../../tests/makeSong.ts'
import { applyRatingChanges, matchesTotals } from './ratingsQuery.ts'

const rated = (id: string, second: number, rating: 'banger' | 'bust' = 'banger') => ({
  id,
  rating,
  createdAt: `2026-01-01T00:00:0${second}.000Z`,
  song: makeSong(id),
})
const known = [rated('3', 3), rated('2', 2, 'bust'), rated('1', 1)]
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)

test('library-17: new ratings come first, a song that is rated again moves, and a removed one leaves', () => {
  const list = applyRatingChanges(known, { ratings: [rated('4', 5), rated('2', 4)], removed: ['1', '9'] })
  expect(idsOf(list)).toEqual(['4', '2', '3'])
  expect(list[1]?.rating).toBe('banger')
  expect(idsOf(known)).toEqual(['3', '2', '1'])
})

test('library-17: a rating that an undo has restored returns to its place, and equal times keep their order', () => {
  const restored = applyRatingChanges([rated('5', 3), ...known], { ratings: [rated('3', 2)], removed: [] })
  expect(idsOf(restored)).toEqual(['5', '3', '2', '1'])
})

test('a list is whole when its ratings and its bangers are as many as the counters say', () => {
  expect(matchesTotals(known, { totalBangers: 2, totalRatings: 3 })).toBe(true)
  expect(matchesTotals(known, { totalBangers: 2, totalRatings: 4 })).toBe(false)
  expect(matchesTotals(known, { totalBangers: 3, totalRatings: 3 })).toBe(false)
})
