import { expect, test } from 'vitest'
import { layOutSheet } from './layOutSheet.ts'

const grid = (n: number, apart: number) =>
  Array.from({ length: n * n }, (_, k) => ({ x: (k % n) * apart, y: Math.floor(k / n) * apart }))

test('discover-85: dots are at least 44 pixels apart, and everything is inside the sheet', () => {
  const places = grid(8, 0.6)
  const { width, height, spots } = layOutSheet(
    places,
    places.map(() => 40),
  )
  const [first, second] = spots
  expect((second?.x ?? 0) - (first?.x ?? 0)).toBeGreaterThanOrEqual(44)
  for (const { x, y, name } of spots) {
    expect(x).toBeGreaterThan(0)
    expect(x).toBeLessThan(width)
    expect(y).toBeGreaterThan(0)
    expect(y).toBeLessThan(height)
    if (!name) continue
    expect(x + name.left).toBeGreaterThan(0)
    expect(x + name.left + 40).toBeLessThan(width)
  }
})

test('discover-85: the sheet is larger where the names need it, and the largest when they never fit', () => {
  const places = grid(8, 1)
  const sheetFor = (nameWidth: number) =>
    layOutSheet(
      places,
      places.map(() => nameWidth),
    )
  expect(sheetFor(20).spots.filter(({ name }) => !name)).toEqual([])
  expect(sheetFor(190).width).toBeGreaterThan(sheetFor(20).width)
  expect(sheetFor(900).spots.some(({ name }) => !name)).toBe(true)
})
