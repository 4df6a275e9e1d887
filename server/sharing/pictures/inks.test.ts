import { expect, test } from 'vitest'
import { readCatalogue } from '../../../catalogue/readCatalogue.ts'
import { packagePath } from '../../packagePath.ts'
import { accentOf, coverInks, INK, oklch, PAPER, readHex } from './inks.ts'

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

/** Lightness and greatest chroma of an accent (web/ui/tokens.css). */
test.each([
  ['dark', 0.77, 0.15],
  ['light', 0.475, 0.145],
])('library-4: in the %s scheme no two accents of a family look alike', (_, lightness, maxChroma) => {
  const { microgenres } = readCatalogue(packagePath('catalogue'))
  const accents = microgenres.map(({ key, family, color }) => {
    const { c, h } = readHex(color)
    return { key, family, ...readHex(oklch(lightness, Math.min(c, maxChroma), h)) }
  })
  const alike = accents.flatMap((one, i) =>
    accents
      .slice(0, i)
      .filter((other) => other.family === one.family && distance(one, other) < 0.04)
      .map((other) => [one.key, other.key]),
  )

  expect(alike).toEqual([])
})

type Oklch = ReturnType<typeof readHex>

/** In OKLab, where the eye tells colours apart from about 0.02 on. */
const distance = (one: Oklch, other: Oklch) => {
  const turn = ((one.h - other.h) * Math.PI) / 180
  return Math.hypot(
    one.l - other.l,
    Math.sqrt(one.c ** 2 + other.c ** 2 - 2 * one.c * other.c * Math.cos(turn)),
  )
}
