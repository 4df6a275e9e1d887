import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toFigure } from '../../bench/measure/report.ts'
import { packagePath } from '../../server/packagePath.ts'

test('every bench states its goals in one way, has a short form, and ends with its verdict', () => {
  const names = readdirSync(packagePath('bench')).filter((file) => file.endsWith('.ts'))
  const lacking = (pattern: RegExp) =>
    names.filter((name) => !pattern.test(readFileSync(packagePath(`bench/${name}`), 'utf8')))

  expect(names.length).toBeGreaterThan(8)
  expect(lacking(/\bjudge\w*\(/)).toEqual([])
  expect(lacking(/setting\('\w+', [^,]+, [^,]+\)/)).toEqual([])
  expect(lacking(/^finish\(\)$/m)).toEqual([])
})

test.each([
  [5, { most: 5 }, true],
  [5.1, { most: 5 }, false],
  [5, { least: 5 }, true],
  [4.9, { least: 5 }, false],
  [Number.NaN, { most: 5 }, false],
  [[], { most: 5 }, false],
])('%s with the goal %o: %s', (measured, goal, isMet) => {
  expect(toFigure(measured, goal).isMet).toBe(isMet)
})

test('of several rounds the median counts, before it is rounded, and the range is shown', () => {
  expect(toFigure([9, 1, 2], { most: 2 })).toEqual({
    figure: 2,
    goal: 'at most 2',
    isMet: true,
    least: 1,
    most: 9,
  })
  expect(toFigure(50.04, { most: 50 })).toEqual({ figure: 50, goal: 'at most 50', isMet: false })
})
