import { expect, it } from 'vitest'
import { ambientVolume } from './AmbientClip.tsx'

it('fades in to 0.15 and out at the end (playback-8)', () => {
  expect(ambientVolume(0, null)).toBe(0)
  expect(ambientVolume(600, null)).toBeCloseTo(0.075)
  expect(ambientVolume(5000, null)).toBe(0.15)
  expect(ambientVolume(5000, 300)).toBeCloseTo(0.075)
  expect(ambientVolume(5600, 600)).toBe(0)
})

it('does not get louder when loading ends during the fade-in', () => {
  expect(ambientVolume(300, 0)).toBeCloseTo(0.0375)
  expect(ambientVolume(900, 600)).toBe(0)
})
