import { expect, test } from 'vitest'
import { layOutSheet, nearestInDirection } from './mapGeometry.ts'

const grid = (n: number, apart: number) =>
  Array.from({ length: n * n }, (_, k) => ({ x: (k % n) * apart, y: Math.floor(k / n) * apart }))

test('discover-85: dots are at least 44 pixels apart, and everything is inside the sheet', () => {
  const places = grid(8, 0.6)
  const { width, height, spots } = layOutSheet(
    places,
    places.map(() => ({ width: 40 })),
    16,
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
      places.map(() => ({ width: nameWidth })),
      16,
    )
  expect(sheetFor(20).spots.filter(({ name }) => !name)).toEqual([])
  expect(sheetFor(190).width).toBeGreaterThan(sheetFor(20).width)
  expect(sheetFor(900).spots.some(({ name }) => !name)).toBe(true)
})

const at = (x: number, y: number) => ({ x, y })
const KEYS = ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp']

/** As seeds in a sunflower: evenly spread, in no rows. */
const sunflower = (n: number) =>
  Array.from({ length: n }, (_, k) => {
    const angle = k * Math.PI * (3 - Math.sqrt(5))
    return at(Math.sqrt(k) * Math.cos(angle), Math.sqrt(k) * Math.sin(angle))
  })

test('discover-85: an arrow key leads to the nearest in its direction, what lies aside counting twice', () => {
  const [here, ahead, aside, behind] = [at(0, 0), at(5, 0.5), at(3, 2.5), at(-1, 0)]
  const places = [here, ahead, aside, behind]
  expect(nearestInDirection(places, here, 'ArrowRight')).toBe(ahead)
  expect(nearestInDirection(places, here, 'ArrowLeft')).toBe(behind)
  expect(nearestInDirection(places, here, 'ArrowDown')).toBe(aside)
  expect(nearestInDirection(places, here, 'ArrowUp')).toBeUndefined()
  expect(nearestInDirection(places, here, 'Enter')).toBeUndefined()
})

test('discover-85: the arrow keys lead from every place to every other', () => {
  const places = sunflower(123)
  for (const start of places) {
    const reached = new Set([start])
    for (const place of reached)
      for (const key of KEYS) {
        const next = nearestInDirection(places, place, key)
        if (next) reached.add(next)
      }
    expect(reached.size).toBe(places.length)
  }
})
