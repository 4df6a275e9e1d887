interface Place {
  x: number
  y: number
}

/** The directions of the arrow keys, on a map whose y grows downwards. */
const DIRECTIONS: Record<string, Place> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
}

/**
 * The nearest place in the direction of an arrow key; undefined for another key and at the edge. What lies aside counts
 * twice, so that the way back often leads back.
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

/** Pixels aside for each pixel ahead: wider than a quarter of the circle, so that every place can be reached. */
const MAX_ASIDE_PER_AHEAD = 2

/** How many neighbours are named. */
const NEIGHBOUR_COUNT = 3

/** The three places that are nearest to one of them. */
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
