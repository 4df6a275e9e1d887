import { type LabelBox, placeLabels, type Spot } from '../../../contract/placeLabels.ts'

interface Place {
  x: number
  y: number
}

/** Pixels, as the classes of MapDot have them. */
const NAME_HEIGHT = 18
const DOT_RADIUS = 10

/** Pixels around everything that is drawn. */
const MARGIN = 28

/**
 * Pixels for each unit of the map. Even at the smallest scale dots are 44 pixels apart, because no two places are
 * nearer than 0.6 (discover-80).
 */
const SCALES = { smallest: 76, largest: 112, step: 4 }

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

/** The smallest sheet on which all names fit, else the largest (discover-85). `widths` are of the names. */
export function layOutSheet(places: readonly Place[], widths: readonly number[]): Sheet {
  for (let scale = SCALES.smallest; ; scale += SCALES.step) {
    const spots = places.map(({ x, y }, i) => ({ x: x * scale, y: y * scale, width: widths[i] ?? 0 }))
    const names = placeLabels(spots, { radius: DOT_RADIUS, height: NAME_HEIGHT })
    if (scale >= SCALES.largest || names.every((name) => name !== null)) return cropSheet(spots, names)
  }
}

/** Moves the sheet to 0, 0 and gives it the same margin on all sides. */
function cropSheet(spots: readonly Spot[], names: readonly (LabelBox | null)[]): Sheet {
  const boxes = [...names.filter((name) => name !== null), ...spots.map(dotBox)]
  const left = Math.min(...boxes.map((box) => box.left)) - MARGIN
  const top = Math.min(...boxes.map((box) => box.top)) - MARGIN
  return {
    width: Math.max(...boxes.map(({ right }) => right)) + MARGIN - left,
    height: Math.max(...boxes.map(({ bottom }) => bottom)) + MARGIN - top,
    spots: spots.map(({ x, y }, i) => {
      const name = names[i]
      return { x: x - left, y: y - top, name: name ? { left: name.left - x, top: name.top - y } : null }
    }),
  }
}

const dotBox = ({ x, y }: Spot): LabelBox => ({
  left: x - DOT_RADIUS,
  top: y - DOT_RADIUS,
  right: x + DOT_RADIUS,
  bottom: y + DOT_RADIUS,
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

/** How many neighbours are named. */
const NEIGHBOUR_COUNT = 3

/** The places that are nearest to `from`. */
export function nearestNeighbours<P extends Place>(places: readonly P[], from: P): P[] {
  const distanceOf = ({ x, y }: P) => Math.hypot(x - from.x, y - from.y)
  return places
    .filter((place) => place !== from)
    .sort((one, other) => distanceOf(one) - distanceOf(other))
    .slice(0, NEIGHBOUR_COUNT)
}

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
