import { expect, test } from 'vitest'
import { type LabelBox, placeLabels, type Spot } from './placeLabels.ts'

const measures = { radius: 10, height: 18 }

/** As seeds in a sunflower: evenly spread, `apart` pixels from each other or a little more. */
const sunflower = (n: number, apart: number): Spot[] =>
  Array.from({ length: n }, (_, k) => {
    const radius = apart * 0.6 * Math.sqrt(k)
    const angle = k * Math.PI * (3 - Math.sqrt(5))
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle), width: 30 + ((k * 37) % 100) }
  })

/** By more than what rounding takes. */
const overlap = (one: LabelBox, other: LabelBox) =>
  Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.001 &&
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.001

test.each([30, 60, 90, 130])(
  'discover-85: names cover no dot and no other name, %i pixels apart',
  (apart) => {
    const spots = sunflower(123, apart)
    const names = placeLabels(spots, measures)
    const placed = names.filter((name) => name !== null)
    const dots = spots.map(({ x, y }) => ({ left: x - 10, right: x + 10, top: y - 10, bottom: y + 10 }))
    for (const [i, name] of placed.entries()) {
      expect(placed.slice(i + 1).filter((other) => overlap(name, other))).toEqual([])
      expect(dots.filter((dot) => overlap(name, dot))).toEqual([])
    }
    for (const [i, name] of names.entries())
      if (name) expect(name.right - name.left).toBeCloseTo(spots[i]?.width ?? 0)
    if (apart === 130) expect(placed).toHaveLength(123)
  },
)

test('discover-85: the same spots give the same places', () => {
  expect(placeLabels(sunflower(50, 60), measures)).toEqual(placeLabels(sunflower(50, 60), measures))
})

test('discover-89: names of a higher rank go first, and names stay inside', () => {
  const crowd = Array.from({ length: 8 }, (_, k) => ({
    x: 100 + k * 22,
    y: 50,
    width: 90,
    rank: k === 5 ? 1 : 0,
  }))
  const within = { left: 0, top: 0, right: 300, bottom: 100 }
  const names = placeLabels(crowd, { ...measures, within })

  expect(names[5]).not.toBeNull()
  expect(names.filter((name) => name === null)).not.toEqual([])
  for (const name of names) {
    if (!name) continue
    expect(name.left).toBeGreaterThanOrEqual(0)
    expect(name.right).toBeLessThanOrEqual(300)
  }
  expect(placeLabels([{ x: 5, y: 5, width: 500 }], { ...measures, within })).toEqual([null])
})
