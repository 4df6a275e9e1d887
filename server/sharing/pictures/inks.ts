/** The dark scheme of web/ui/tokens.css, for a renderer without oklch. */
export const PAPER = oklch(0.172, 0.007, 60)
export const LINE = oklch(0.315, 0.01, 60)
export const INK = oklch(0.958, 0.012, 85)
export const INK_2 = oklch(0.785, 0.014, 80)
export const INK_3 = oklch(0.665, 0.014, 75)
export const HOT = oklch(0.735, 0.185, 43)

/** The accent of a genre: its hue, a capped chroma, and the scheme's lightness. */
export function accentOf(color: string): string {
  const { c, h } = readHex(color)
  return oklch(0.77, Math.min(c, 0.15), h)
}

/** The four inks of a drawn cover, `--cover-1` to `--cover-4`. */
export function coverInks(color: string): [string, string, string, string] {
  const { l, c, h } = readHex(color)
  return [
    oklch(0.27, Math.min(c, 0.07), h),
    oklch(clamp(l, 0.5, 0.82), Math.min(c, 0.18), h),
    oklch(1.34 - clamp(l, 0.54, 0.82), Math.min(c, 0.14), h - 38),
    oklch(0.92, Math.min(c, 0.045), h + 30),
  ]
}

/** `#rrggbb` of a colour in OKLCH, clipped to sRGB. https://bottosson.github.io/posts/oklab/ */
export function oklch(l: number, c: number, h: number): string {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const channels = [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ]
  return `#${channels.map((value) => hexOf(encode(value))).join('')}`
}

/** OKLCH of `#rrggbb`. */
export function readHex(color: string): { l: number; c: number; h: number } {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) =>
    decode(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  )
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const middle = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const l = 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short
  const A = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short
  const B = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short
  return { l, c: Math.hypot(A, B), h: (Math.atan2(B, A) * 180) / Math.PI }
}

function encode(value: number): number {
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
}

function decode(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function hexOf(value: number): string {
  return Math.round(clamp(value, 0, 1) * 255)
    .toString(16)
    .padStart(2, '0')
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
