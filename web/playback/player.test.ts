import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chorusStart, fitStart } from './player.ts'

describe('playback-62: the start of the chorus', () => {
  test.each([
    [245, 73],
    [180, 54],
    [61.5, 18],
    [1, 0],
    [null, 40],
    [0, 40],
  ])('of a song of %s seconds is at %s', (duration, hook) => {
    expect(chorusStart(duration)).toBe(hook)
  })

  test.each([
    [40, 200, 40],
    [40, 80, 40],
    [40, 79, 23],
    [40, 39, 11],
    [40, 40, 12],
    [180, 182, 54],
    [40, 1, 0],
  ])('a start at %s in a video of %s seconds becomes %s', (start, duration, hook) => {
    expect(fitStart(start, duration)).toBe(hook)
  })

  test('whatever the lengths, it is in the first half of the video', () => {
    const seconds = fc.double({ min: 0.001, max: 86_400, noNaN: true })
    fc.assert(
      fc.property(fc.option(seconds), seconds, (known, actual) => {
        const start = fitStart(chorusStart(known), actual)
        expect(start).toBeGreaterThanOrEqual(0)
        expect(start).toBeLessThanOrEqual(actual / 2)
        expect(Number.isInteger(start)).toBe(true)
      }),
    )
  })
})
