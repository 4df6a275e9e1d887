import { expect, test } from 'vitest'
import { nearestInDirection, nearestNeighbours } from './neighbours.ts'

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

test('discover-88: the three nearest, the nearest first', () => {
  const places = [at(0, 0), at(9, 0), at(0, 2), at(1, 0), at(-3, 0)] as const
  expect(nearestNeighbours(places, places[0])).toEqual([places[3], places[2], places[4]])
  expect(nearestNeighbours([places[0]], places[0])).toEqual([])
})
