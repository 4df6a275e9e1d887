import { expect, test } from 'vitest'
import { covers, nextRows, rowsInSight, rowsWanted } from './rowsInSight.ts'

const list = { count: 100, rowHeight: 250, top: 200 }

test.each([
  ['at the top of the page', 0, { from: 0, to: 3 }],
  ['in the middle of a row', 1325, { from: 4, to: 9 }],
  ['at the end', 200 + 100 * 250 - 900, { from: 96, to: 100 }],
  ['above the list', -2000, { from: 0, to: 0 }],
  ['below the list', 30_000, { from: 100, to: 100 }],
])('rows in sight %s', (_, y, rows) => {
  expect(rowsInSight(list, y, 900)).toEqual(rows)
})

test('some rows more are wanted, but none that there is not', () => {
  expect(rowsWanted(list, { from: 1, to: 5 })).toEqual({ from: 0, to: 8 })
  expect(rowsWanted(list, { from: 50, to: 54 })).toEqual({ from: 47, to: 57 })
  expect(rowsWanted(list, { from: 96, to: 100 })).toEqual({ from: 93, to: 100 })
  expect(rowsWanted({ ...list, count: 0 }, { from: 0, to: 0 })).toEqual({ from: 0, to: 0 })
})

test.each([
  ['above', { from: 60, to: 70 }],
  ['below', { from: 20, to: 30 }],
  ['around', { from: 35, to: 60 }],
  ['within', { from: 44, to: 46 }],
  ['nowhere near', { from: 0, to: 10 }],
  ['nothing', { from: 0, to: 0 }],
])('all that is wanted is drawn after a few frames, where rows %s it are drawn', (_, before) => {
  const wanted = { from: 40, to: 50 }
  let drawn = before
  for (let frame = 0; frame < 10; frame++) {
    drawn = nextRows(drawn, wanted)
    expect(covers(wanted, drawn)).toBe(true)
  }
  expect(drawn).toEqual(wanted)
})

test('after a jump drawing begins with one row in the middle', () => {
  expect(nextRows({ from: 0, to: 10 }, { from: 40, to: 50 })).toEqual({ from: 45, to: 46 })
  expect(nextRows({ from: 45, to: 46 }, { from: 40, to: 50 })).toEqual({ from: 44, to: 47 })
})
