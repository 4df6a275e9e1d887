import { drawCover, type Shape } from '../../../contract/drawCover.ts'
import { coverInks, HOT, INK, INK_2 } from './inks.ts'
import type { Genre } from './picture.ts'

/* The drawn parts of a picture, each a data URL of an SVG for `img`. */

/** Two by two covers of the genres, repeated where there are fewer than four. */
export function mosaic(genres: readonly Genre[]): string {
  const places = [0, 1, 2, 3].flatMap((place) => genres[place % Math.max(genres.length, 1)] ?? [])
  const tiles = places.map((genre, place) => {
    // With three genres the fourth cover is new, not a repetition of the first.
    const title = place < genres.length ? genre.name : `${genre.name} ${place}`
    const at = `translate(${(place % 2) * 97} ${Math.floor(place / 2) * 97})`
    return `<g transform="${at}" clip-path="url(#tile)">${cover(title, genre.color)}</g>`
  })
  return dataUrl(
    `viewBox="0 0 193 193"`,
    `<clipPath id="tile"><rect width="96" height="96"/></clipPath>${tiles.join('')}`,
  )
}

export function wordmark(): string {
  const { width, top, height, banger, or, bust } = WORDMARK
  return dataUrl(
    `viewBox="0 ${top} ${width} ${height}"`,
    `<path fill="${INK}" d="${banger}"/><path fill="${INK_2}" d="${or}"/><path fill="${INK}" d="${bust}"/>`,
  )
}

/** An achievement's icon in a ring. */
export function medal(type: string): string {
  const color = type === 'first_banger' ? HOT : INK
  return dataUrl(
    'viewBox="0 0 100 100"',
    `<g fill="none" stroke="${color}" stroke-linecap="round" stroke-linejoin="round">` +
      `<circle cx="50" cy="50" r="48.5" stroke-width="1.6"/>` +
      `<g transform="translate(27.5 27.5) scale(1.875)" stroke-width="1.4">${achievementIcon(type)}</g></g>`,
  )
}

function cover(title: string, color: string): string {
  const inks = coverInks(color)
  return drawCover(title)
    .map((shape) => draw(shape, (ink) => inks[ink - 1] ?? inks[0]))
    .join('')
}

function draw(shape: Shape, ink: (n: 1 | 2 | 3 | 4) => string): string {
  switch (shape.kind) {
    case 'rect':
      return `<rect x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}" fill="${ink(shape.fill)}"/>`
    case 'circle':
      return `<circle cx="${shape.cx}" cy="${shape.cy}" r="${shape.r}" fill="${ink(shape.fill)}"/>`
    case 'ring':
      return `<circle cx="${shape.cx}" cy="${shape.cy}" r="${shape.r}" fill="none" stroke="${ink(shape.stroke)}" stroke-width="${shape.width}"/>`
    case 'path': {
      const stroke = shape.stroke
        ? ` stroke="${ink(shape.stroke)}" stroke-width="${shape.width}" stroke-linejoin="round"`
        : ''
      return `<path d="${shape.d}" transform="${shape.transform ?? ''}" fill="${ink(shape.fill)}"${stroke}/>`
    }
  }
}

/** An SVG as a data URL. `frame` has the attributes that give its size. */
export const dataUrl = (frame: string, content: string) =>
  `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${frame}>${content}</svg>`).toString('base64')}`

/*
 * Icons of lucide (https://lucide.dev, ISC license), 24 by 24, the same as in web/achievements, because pictures are
 * drawn without React.
 */
const ICONS: Record<string, string> = {
  first_banger:
    '<path d="M12 3q1 4 4 6.5t3 5.5a1 1 0 0 1-14 0 5 5 0 0 1 1-3 1 1 0 0 0 5 0c0-2-1.5-3-1.5-5q0-2 2.5-4"/>',
  microgenre_master:
    '<path d="M10 14.66V17a1 1 0 0 1-1 1 2 2 0 0 0-2 2v2"/><path d="M14 14.66V17a1 1 0 0 0 1 1 2 2 0 0 1 2 2v2"/><path d="M17.916 10H19.5A2.5 2.5 0 0 0 22 7.5V5a1 1 0 0 0-1-1h-3"/><path d="M4 22h16"/><path d="M6 9a6 6 0 0 0 12 0V3a1 1 0 0 0-1-1H7a1 1 0 0 0-1 1z"/><path d="M6.084 10H4.5A2.5 2.5 0 0 1 2 7.5V5a1 1 0 0 1 1-1h3"/>',
  streak_5:
    '<path d="M2 13a2 2 0 0 0 2-2V7a2 2 0 0 1 4 0v13a2 2 0 0 0 4 0V4a2 2 0 0 1 4 0v13a2 2 0 0 0 4 0v-4a2 2 0 0 1 2-2"/>',
  streak_10:
    '<path d="M15.914 4a1.5 1.5 0 00-2.474-1.561l-9 9A1.5 1.5 0 005.5 14h4.002a.5.5 0 01.471.666L8.086 20a1.5 1.5 0 002.475 1.56l9-9A1.5 1.5 0 0018.5 10h-3.997a.5.5 0 01-.472-.667z"/>',
  streak_25:
    '<path d="M12 15v5s3.03-.55 4-2c1.08-1.62 0-5 0-5"/><path d="M4.5 16.5c-1.5 1.26-2 5-2 5s3.74-.5 5-2c.71-.84.7-2.13-.09-2.91a2.18 2.18 0 0 0-2.91-.09"/><path d="M9 12a22 22 0 0 1 2-3.95A12.88 12.88 0 0 1 22 2c0 2.72-.78 7.5-6 11a22.4 22.4 0 0 1-4 2z"/><path d="M9 12H4s.55-3.03 2-4c1.62-1.08 5 .05 5 .05"/>',
  explorer:
    '<circle cx="12" cy="12" r="10"/><path d="m16.24 7.76-1.804 5.411a2 2 0 0 1-1.265 1.265L7.76 16.24l1.804-5.411a2 2 0 0 1 1.265-1.265z"/>',
  critic:
    '<path d="M13 21h8"/><path d="M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z"/>',
  enthusiast:
    '<path d="M3 14h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a9 9 0 0 1 18 0v7a2 2 0 0 1-2 2h-1a2 2 0 0 1-2-2v-3a2 2 0 0 1 2-2h3"/>',
}

const DEFAULT_ICON =
  '<path d="m15.477 12.89 1.515 8.526a.5.5 0 0 1-.81.47l-3.58-2.687a1 1 0 0 0-1.197 0l-3.586 2.686a.5.5 0 0 1-.81-.469l1.514-8.526"/><circle cx="12" cy="8" r="6"/>'

/** The icon of an achievement as stroked SVG elements. */
function achievementIcon(type: string): string {
  return (Object.hasOwn(ICONS, type) ? ICONS[type] : undefined) ?? DEFAULT_ICON
}

/*
 * BANGER and BUST in the widths of the wordmark (web/ui/page/Wordmark.tsx), as outlines on a baseline at 0, because satori
 * does not support variable fonts. Made from Anybody and Instrument Sans, both under the OFL.
 */
export const WORDMARK = {
  width: 369.5,
  top: -42,
  height: 44,
  banger:
    'M2.8 0L28.3 0Q35.6 0 38.1 -1.9Q40.6 -3.8 40.6 -7.4Q40.6 -10.9 37.9 -12.3Q35.1 -13.7 32.6 -13.8Q35.2 -13.9 37.2 -15.6Q39.2 -17.2 39.2 -20.3Q39.2 -23.6 36.6 -25.3Q33.9 -27 26.6 -27L2.8 -27L2.8 0ZM14.1 -7.2L14.1 -10.7L26.2 -10.7Q28.3 -10.7 28.8 -10.3Q29.3 -9.9 29.3 -9Q29.3 -8.1 28.8 -7.7Q28.3 -7.2 26.2 -7.2L14.1 -7.2ZM14.1 -16.5L14.1 -19.8L25 -19.8Q26.7 -19.8 27.2 -19.4Q27.8 -19 27.8 -18.2Q27.8 -17.4 27.2 -17Q26.7 -16.5 25 -16.5L14.1 -16.5ZM43.5 0L55.3 0L57.9 -5.3L73 -5.3L75.6 0L87.4 0L72.8 -27L58.1 -27L43.5 0ZM60.8 -12.1L65.4 -21.4L65.5 -21.4L70.1 -12.1L60.8 -12.1ZM91.7 0L103 0L103 -19.2L103.1 -19.2L117.5 0L135.3 0L135.3 -27L124 -27L124 -8.5L124 -8.5L110 -27L91.7 -27L91.7 0ZM160.8 0.2Q169.6 0.1 172.7 -3.7L173.7 0L180.7 0L180.7 -15.5L162 -15.5L162 -9.6L168.7 -9.6L168.7 -9.5Q168.2 -8.4 166.6 -7.7Q165 -7 161.3 -7Q157.3 -7 154.8 -8.7Q152.3 -10.4 152.3 -13.6Q152.3 -16.8 154.8 -18.4Q157.3 -20.1 161.2 -20.1Q165 -20.1 166.9 -19.3Q168.9 -18.6 169.3 -17.4L180.7 -17.4Q180.3 -22 174.7 -24.6Q169.1 -27.3 161.2 -27.3Q152.1 -27.3 146.5 -23.8Q140.8 -20.4 140.8 -13.6Q140.8 -6.9 146.3 -3.4Q151.7 0.2 160.8 0.2ZM187 0L220.1 0L220.1 -7.2L198.3 -7.2L198.3 -10.2L218.1 -10.2L218.1 -16.9L198.3 -16.9L198.3 -19.8L220.1 -19.8L220.1 -27L187 -27L187 0ZM225.9 0L237.2 0L237.2 -8.5L250.1 -8.5Q256 -8.5 259.5 -10.7Q262.9 -12.9 262.9 -17.8Q262.9 -22.6 259.7 -24.8Q256.4 -27 250.9 -27L225.9 -27L225.9 0ZM251.2 0L264 0L251.3 -12.6L239.8 -12.6L251.2 0ZM237.2 -15.3L237.2 -19.8L247.7 -19.8Q249.7 -19.8 250.7 -19.2Q251.6 -18.7 251.6 -17.5Q251.6 -16.4 250.7 -15.8Q249.8 -15.3 247.7 -15.3L237.2 -15.3Z',
  or: 'M286.4 0.3Q284 0.3 282.1 -0.8Q280.3 -1.8 279.3 -3.7Q278.2 -5.6 278.2 -8Q278.2 -10.4 279.3 -12.3Q280.3 -14.1 282.1 -15.2Q284 -16.2 286.4 -16.2Q288.9 -16.2 290.7 -15.2Q292.6 -14.1 293.6 -12.3Q294.6 -10.4 294.6 -8Q294.6 -5.6 293.6 -3.7Q292.5 -1.8 290.7 -0.8Q288.9 0.3 286.4 0.3ZM286.4 -2.3Q287.9 -2.3 288.9 -3Q290 -3.8 290.6 -5Q291.3 -6.3 291.3 -8Q291.3 -10.6 289.9 -12.1Q288.6 -13.6 286.4 -13.6Q284.3 -13.6 282.9 -12.1Q281.6 -10.6 281.6 -8Q281.6 -6.3 282.2 -5Q282.8 -3.8 283.9 -3Q285 -2.3 286.4 -2.3ZM297.9 0L297.9 -15.9L301 -15.9L301 -12L301.2 -12L301.2 0L297.9 0ZM301.2 -8.3L300.7 -12.1Q301.3 -14.1 302.7 -15.2Q304.1 -16.2 306 -16.2Q306.7 -16.2 307 -16.1L307 -13Q306.8 -13.1 306.5 -13.1Q306.2 -13.1 305.8 -13.1Q303.5 -13.1 302.3 -11.9Q301.2 -10.7 301.2 -8.3Z',
  bust: 'M319.4 0L327 0Q331.2 0 331.2 -3.6Q331.2 -7.2 331.2 -11.4Q331.2 -14.8 331.2 -18Q331.2 -21.2 328.6 -21.4Q331.2 -21.5 331.2 -24.3Q331.2 -27.1 331.2 -29.7Q331.2 -32 331.2 -35.2Q331.2 -38.3 327.2 -38.3L319.4 -38.3L319.4 0ZM324.7 -4L324.7 -19.4L325.1 -19.4Q325.9 -19.4 325.9 -17.2Q325.9 -15 325.9 -11.7Q325.9 -8 325.9 -6Q325.9 -4 325.1 -4L324.7 -4ZM324.7 -23.3L324.7 -34.4L325.1 -34.4Q325.9 -34.4 325.9 -33Q325.9 -31.5 325.9 -29.3Q325.9 -26.8 325.9 -25.1Q325.9 -23.3 325.1 -23.3L324.7 -23.3ZM338.6 0.2Q341.9 0.2 343.3 -1.1Q344.7 -2.5 344.7 -6L344.7 -38.3L339.3 -38.3L339.3 -6.8Q339.3 -4.9 339.2 -4.3Q339 -3.8 338.6 -3.8Q338.2 -3.8 338.1 -4.3Q338 -4.9 338 -6.8L338 -38.3L332.6 -38.3L332.6 -6Q332.6 -2.5 334 -1.1Q335.4 0.2 338.6 0.2ZM352 0.2Q358.1 0.2 358.1 -3.6Q358.1 -7.4 358.1 -10.6Q358.1 -15.5 357.5 -17.4Q356.9 -19.4 353.5 -21.4Q351.7 -22.5 351.5 -24Q351.3 -25.4 351.3 -29.1Q351.3 -31.4 351.3 -33Q351.3 -34.7 352 -34.7Q352.7 -34.7 352.7 -33Q352.7 -31.4 352.7 -24L358 -24Q358 -30.7 358 -34.7Q358 -38.6 352 -38.6Q345.9 -38.6 346 -34.8Q346 -31 346 -27.9Q346 -23.3 346.6 -21.2Q347.2 -19.1 350.7 -17.1Q352.4 -16 352.5 -14.5Q352.7 -13 352.7 -9.3Q352.7 -6.8 352.7 -5.2Q352.7 -3.7 352 -3.7Q351.3 -3.7 351.3 -5.3Q351.3 -6.8 351.3 -14.5L346 -14.5Q346 -7.2 345.9 -3.5Q345.9 0.2 352 0.2ZM361.3 0L366.7 0L366.7 -34.3L369.1 -34.3L369.1 -38.3L358.9 -38.3L358.9 -34.3L361.3 -34.3L361.3 0Z',
}
