import { type LabelBox, placeLabels, type Spot } from '../../../contract/placeLabels.ts'

interface Place {
  x: number
  y: number
}

/** In rem, as all lengths of the map, so that it grows with its names. */
const NAME_HEIGHT = 1.125
const DOT_RADIUS = 0.625

/** Around everything that is drawn. */
const MARGIN = 1.75

/** Each unit of the map. Even at the smallest scale targets keep apart, as no two places are nearer than 0.6 (discover-80). */
const SCALES = { smallest: 4.75, largest: 8, step: 0.25 }

/** The drawn map, in pixels. */
export interface Sheet {
  width: number
  height: number
  spots: readonly SheetSpot[]
}

export interface SheetSpot {
  x: number
  y: number
  /** Where the name begins, from the dot; null where it has no room. */
  name: { left: number; top: number } | null
}

/** A name in pixels. Those of a higher rank are placed first. */
export type NameSize = Pick<Spot, 'width' | 'height' | 'rank'>

/** The smallest sheet on which all names fit, else the largest (discover-85). `rem` is in pixels. */
export function layOutSheet(places: readonly Place[], sizes: readonly NameSize[], rem: number): Sheet {
  for (let scale = SCALES.smallest; ; scale += SCALES.step) {
    const spots = places.map(({ x, y }, i) => ({
      width: 0,
      ...sizes[i],
      x: x * scale * rem,
      y: y * scale * rem,
    }))
    const names = placeLabels(spots, { radius: DOT_RADIUS * rem, height: NAME_HEIGHT * rem })
    if (scale >= SCALES.largest || names.every((name) => name !== null)) return cropSheet(spots, names, rem)
  }
}

/** Where the names of families stand: in the middle of their microgenres, beside it where another one is. */
export function placeFamilies(
  members: ReadonlyMap<string, readonly Place[]>,
  sheet: Sheet,
  sizeOf: (family: string) => NameSize,
): ({ family: string } & LabelBox)[] {
  const families = [...members.keys()]
  const middle = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const spots = families.map((family) => {
    const places = members.get(family) ?? []
    return {
      ...sizeOf(family),
      rank: places.length,
      x: middle(places.map(({ x }) => x)),
      y: middle(places.map(({ y }) => y)),
    }
  })
  const within = { left: 0, top: 0, right: sheet.width, bottom: sheet.height }
  return placeLabels(spots, { radius: 0, height: 0, within }).flatMap((box, i) => {
    const family = families[i]
    return box && family ? [{ family, ...box }] : []
  })
}

/** Moves the sheet to 0, 0 and gives it the same margin on all sides. */
function cropSheet(spots: readonly Spot[], names: readonly (LabelBox | null)[], rem: number): Sheet {
  const boxes = [...names.filter((name) => name !== null), ...spots.map((spot) => dotBox(spot, rem))]
  const margin = MARGIN * rem
  const left = Math.min(...boxes.map((box) => box.left)) - margin
  const top = Math.min(...boxes.map((box) => box.top)) - margin
  return {
    width: Math.max(...boxes.map(({ right }) => right)) + margin - left,
    height: Math.max(...boxes.map(({ bottom }) => bottom)) + margin - top,
    spots: spots.map(({ x, y }, i) => {
      const name = names[i]
      return { x: x - left, y: y - top, name: name ? { left: name.left - x, top: name.top - y } : null }
    }),
  }
}

const dotBox = ({ x, y }: Spot, rem: number): LabelBox => ({
  left: x - DOT_RADIUS * rem,
  top: y - DOT_RADIUS * rem,
  right: x + DOT_RADIUS * rem,
  bottom: y + DOT_RADIUS * rem,
})

/** The directions of the arrow keys, on a map whose y grows downwards. */
const DIRECTIONS: Record<string, Place> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
}

/**
 * The nearest place in the direction of an arrow key; undefined for another key and at the edge. Distance to the side
 * counts twice, so that the opposite key often leads back.
 */
export function nearestInDirection<P extends Place>(
  places: readonly P[],
  from: P,
  key: string,
): P | undefined {
  const direction = DIRECTIONS[key]
  if (!direction) return undefined
  const costOf = (place: P) => {
    const along = (place.x - from.x) * direction.x + (place.y - from.y) * direction.y
    const aside = Math.abs((place.x - from.x) * direction.y - (place.y - from.y) * direction.x)
    return along > 0 && aside <= along * MAX_ASIDE_PER_AHEAD ? along + aside * 2 : Number.POSITIVE_INFINITY
  }
  return nearest(places, costOf)
}

/** How far a place may be to the side. Each key covers more than a quarter of the circle, so that no place is missed. */
const MAX_ASIDE_PER_AHEAD = 2

function nearest<P>(places: readonly P[], costOf: (place: P) => number): P | undefined {
  let best: P | undefined
  let minCost = Number.POSITIVE_INFINITY
  for (const place of places) {
    const cost = costOf(place)
    if (cost >= minCost) continue
    best = place
    minCost = cost
  }
  return best
}
