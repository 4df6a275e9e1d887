import { expect, test } from 'vitest'
import { matchTone } from './matchTone.ts'

test.each([
  [100, 'good'],
  [80, 'good'],
  [79, 'fair'],
  [60, 'fair'],
  [59, 'poor'],
  [0, 'poor'],
])('a match of %i is %s (diagnostics-18)', (score, tone) => {
  expect(matchTone(score)).toBe(tone)
})
