import { drawCover, type Shape } from '../../../contract/drawCover.ts'
import { coverInks, HOT, INK, INK_2 } from './inks.ts'
import type { Genre } from './picture.ts'
import { achievementIcon } from './signs.ts'
import { WORDMARK } from './wordmark.ts'

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
