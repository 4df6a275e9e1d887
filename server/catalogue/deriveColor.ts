import { createHash } from 'node:crypto'

/** Luminance with enough contrast (WCAG): 3.8:1 on the light background, about 4:1 on the dark one. */
const LUMINANCE = 0.2
const SATURATION = 0.5

/** A colour for a microgenre without one: derived from its name, and none of `taken`. */
export function deriveColor(name: string, taken: ReadonlySet<string>): string {
  const start = createHash('sha256').update(name).digest().readUInt16BE(0) % 360
  // When all 360 hues are taken, a colour repeats.
  for (let turn = 0; turn < 360; turn++) {
    const color = hexOf((start + turn * 47) % 360)
    if (!taken.has(color)) return color
  }
  return hexOf(start)
}

/** The hue at LUMINANCE, by bisection: blue looks much darker than yellow at the same lightness. */
function hexOf(hue: number): string {
  let [low, high] = [0, 1]
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2
    if (luminanceOf(channelsOf(hue, middle)) < LUMINANCE) low = middle
    else high = middle
  }
  const channels = channelsOf(hue, high).map((value) =>
    Math.round(value * 255)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${channels.join('')}`
}

/** https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function channelsOf(hue: number, lightness: number): number[] {
  const reach = SATURATION * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const k = (offset + hue / 30) % 12
    return lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))
  })
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(channels: number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
