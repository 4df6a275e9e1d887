import { expect, test } from 'vitest'
import { accentOf, coverInks, INK, oklch, PAPER } from './inks.ts'

test("OKLCH colours match the browser's", () => {
  expect(oklch(1, 0, 0)).toBe('#ffffff')
  expect(oklch(0, 0, 0)).toBe('#000000')
  expect(oklch(0.627955, 0.257683, 29.2338)).toBe('#ff0000')
  expect(PAPER).toBe('#120f0d')
  expect(INK).toMatch(/^#f[0-9a-f]f[0-9a-f]e[0-9a-f]$/)
})

test('a colour outside of sRGB is clipped', () => {
  expect(oklch(0.7, 0.4, 150)).toMatch(/^#[0-9a-f]{6}$/)
})

test('every genre colour, also grey and black, gives an accent and four inks', () => {
  for (const color of ['#35b5b0', '#808080', '#000000', '#ffffff', '#fff200']) {
    expect([accentOf(color), ...coverInks(color)].every((ink) => /^#[0-9a-f]{6}$/.test(ink))).toBe(true)
  }
  expect(accentOf('#808080')).toMatch(/^#(..)\1\1$/)
})
