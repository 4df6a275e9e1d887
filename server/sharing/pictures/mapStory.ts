import { type LabelBox, placeLabels } from '../../../contract/placeLabels.ts'
import { box, column, type Element, footer, image, text } from './element.ts'
import { splitGraphemes } from './graphemes.ts'
import { accentOf, INK, INK_2, INK_3 } from './inks.ts'
import type { MapPlace, Subject } from './picture.ts'
import { dataUrl } from './svg.ts'

/** The map in a story, from edge to edge. Pixels, as all below. */
const MAP_SIZE = { width: 1080, height: 1120 }

/** Between the outer dots and the edge of the map. */
const MAP_MARGIN = { x: 76, y: 44 }

const FONT_SIZE = 23
const NAME_HEIGHT = 30
const MAX_DOT_RADIUS = 14

/** The listener's own map as an upright picture, with the names that fit, first those with bangers (discover-89). */
export function mapStory(
  page: Record<string, string | number>,
  { places, creator }: Extract<Subject, { kind: 'map' }>,
  site: string,
): Element {
  const explored = places.filter(({ ratings }) => ratings > 0).length
  return column(
    page,
    column(
      { padding: '150px 80px 0' },
      headline(`${explored} of ${places.length}`, 150),
      headline('microgenres explored', 66),
      text(creator, 1, { fontSize: 36, fontWeight: 700, color: INK_2, marginTop: 24 }),
    ),
    drawing(places),
    column({ flexGrow: 1, padding: '0 80px 120px', justifyContent: 'flex-end' }, footer(site)),
  )
}

const headline = (words: string, size: number) =>
  text(words, 1, { fontFamily: 'Display', fontWeight: 800, fontSize: size, lineHeight: 1.12 })

function drawing(places: readonly MapPlace[]): Element {
  const dots = fillMap(places)
  const measuredDots = dots.map((dot) => ({ ...dot, width: estimateWidth(dot.name) }))
  const boxes = placeLabels(measuredDots, { radius: MAX_DOT_RADIUS, height: NAME_HEIGHT, within: EDGES })
  return box(
    { ...MAP_SIZE, position: 'relative' },
    image(
      dataUrl(`viewBox="0 0 ${MAP_SIZE.width} ${MAP_SIZE.height}"`, dots.map(drawDot).join('')),
      MAP_SIZE.width,
      MAP_SIZE.height,
      { position: 'absolute', left: 0, top: 0 },
    ),
    ...dots.map((dot, i) => (boxes[i] ? drawName(dot, boxes[i]) : null)),
  )
}

const EDGES: LabelBox = { left: 12, top: 0, right: MAP_SIZE.width - 12, bottom: MAP_SIZE.height }

interface Dot extends MapPlace {
  /** Names of a higher rank are placed first. */
  rank: number
}

/** Scales the places to fill the picture. */
function fillMap(places: readonly MapPlace[]): Dot[] {
  const [left, right] = rangeOf(places.map(({ x }) => x))
  const [top, bottom] = rangeOf(places.map(({ y }) => y))
  const scale = Math.min(
    (MAP_SIZE.width - 2 * MAP_MARGIN.x) / Math.max(1, right - left),
    (MAP_SIZE.height - 2 * MAP_MARGIN.y) / Math.max(1, bottom - top),
  )
  return places.map((place) => ({
    ...place,
    x: MAP_SIZE.width / 2 + (place.x - (left + right) / 2) * scale,
    y: MAP_SIZE.height / 2 + (place.y - (top + bottom) / 2) * scale,
    rank: place.bangers > 0 ? 2 : place.ratings > 0 ? 1 : 0,
  }))
}

const rangeOf = (values: readonly number[]): [number, number] =>
  values.length > 0 ? [Math.min(...values), Math.max(...values)] : [0, 0]

/** As on the page: an outline if unheard, ink if rated, and a ringed accent disc with bangers. */
function drawDot({ x, y, color, rank, bangers }: Dot): string {
  const at = `cx="${x.toFixed(1)}" cy="${y.toFixed(1)}"`
  if (rank === 0) return `<circle ${at} r="6" fill="none" stroke="${INK_3}" stroke-width="2"/>`
  if (rank === 1) return `<circle ${at} r="8" fill="${INK}"/>`
  const radius = Math.min(MAX_DOT_RADIUS, 8 + bangers)
  const accent = accentOf(color)
  return (
    `<circle ${at} r="${radius}" fill="${accent}" fill-opacity="0.45"/>` +
    `<circle ${at} r="${radius * 0.62}" fill="${accent}"/>`
  )
}

function drawName({ x, name, color, rank }: Dot, { left, top, right }: LabelBox): Element {
  const side = left >= x ? SIDES.right : right <= x ? SIDES.left : SIDES.middle
  return text(name, 1, {
    position: 'absolute',
    top,
    // Wider than estimated, so that no name is cut.
    left: left - side.left * NAME_SLACK,
    width: right - left + (side.left + side.right) * NAME_SLACK,
    textAlign: side.align,
    fontSize: FONT_SIZE,
    lineHeight: NAME_HEIGHT / FONT_SIZE,
    whiteSpace: 'nowrap',
    fontWeight: rank === 2 ? 700 : 500,
    color: rank === 2 ? accentOf(color) : rank === 1 ? INK : INK_3,
  })
}

const NAME_SLACK = 60

/** Where a name stands relative to its dot, and where it may grow. */
const SIDES = {
  right: { align: 'left', left: 0, right: 1 },
  left: { align: 'right', left: 1, right: 0 },
  middle: { align: 'center', left: 1, right: 1 },
}

/** An upper estimate of a name's width, because nothing here measures letters. */
const estimateWidth = (name: string) =>
  splitGraphemes(name).reduce((sum, character) => sum + FONT_SIZE * widthInEms(character), 0)

function widthInEms(character: string): number {
  if (/^[ijlftrI' .,-]$/.test(character)) return 0.38
  return /^[\p{Script=Latin}\p{N}]/u.test(character) && !/^[mwMW]/.test(character) ? 0.62 : 1
}
