import { setImmediate } from 'node:timers/promises'

/** A position on the map. Neighbours are about 1 apart, and the first map is centred on 0, 0. */
export interface MapPosition {
  x: number
  y: number
}

/** The smallest distance between two microgenres. */
export const MIN_GAP = 0.6

/** The longest move of a microgenre in one run. */
export const MAX_MOVE = 0.3

/** When no move would be longer, nothing moves. */
const MIN_MOVE = 0.05

/** The target distance of the least similar microgenres, relative to the map's radius. */
const MAX_DISTANCE_PER_RADIUS = 1.4

/** The first map needs more sweeps until it converges; later ones start from the previous positions. */
const MAX_FIRST_SWEEPS = 1000
const MAX_SWEEPS = 100

/** The layout has converged when a sweep moves nothing further than this. */
const CONVERGED_MOVE = 0.0005

/** Each sweep overshoots by half, which needs fewer sweeps. */
const OVERRELAXATION = 1.5

/** A new microgenre starts in the middle of this many most similar ones. */
const INITIAL_NEIGHBOURS = 3

/** Multiples of the golden angle never coincide. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/**
 * Positions in two dimensions: the higher the `nearness` of two microgenres (a square matrix of numbers from 0 to 1),
 * the closer they stand. `before` has the previous positions, null for new microgenres; each moves by `MAX_MOVE` at
 * most, and the map keeps its orientation. The result is deterministic. Stress majorization, one position at a time
 * (Gansner, Koren, North: Graph drawing by stress majorization, 2004). A sweep takes quadratic time; other work may
 * run between two sweeps.
 */
export async function layOutMap(
  nearness: readonly Float64Array[],
  before: readonly (MapPosition | null)[],
  signal?: AbortSignal,
): Promise<MapPosition[]> {
  const places = before.map((place, i) => ({ ...(place ?? initialPosition(i, nearness, before)) }))
  const weights = computeWeights(nearness)
  const sweeps = before.some((place) => place !== null) ? MAX_SWEEPS : MAX_FIRST_SWEEPS
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const last = places.map((place) => ({ ...place }))
    attract(places, weights)
    separate(places)
    if (findLongestMove(places, last) < CONVERGED_MOVE) break
    await setImmediate()
    signal?.throwIfAborted()
  }
  alignWith(places, before)
  limitMoves(places, before)
  for (let round = 0; round < MAX_FIRST_SWEEPS && separate(places); round++) limitMoves(places, before)
  return findLongestMove(places, before) < MIN_MOVE ? (before as MapPosition[]) : places
}

/** A new microgenre starts among the most similar ones; on the first map all start on a ring. */
function initialPosition(
  i: number,
  nearness: readonly Float64Array[],
  before: readonly (MapPosition | null)[],
): MapPosition {
  const neighbours = before
    .flatMap((place, other) => (place ? [{ ...place, near: nearness[i]?.[other] ?? 0 }] : []))
    .sort((one, other) => other.near - one.near)
    .slice(0, INITIAL_NEIGHBOURS)
  const radius = neighbours.length > 0 ? MIN_GAP / 2 : Math.sqrt(before.length / Math.PI)
  const angle = neighbours.length > 0 ? i * GOLDEN_ANGLE : (2 * Math.PI * i) / before.length
  const { x, y } = centroid(neighbours)
  return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) }
}

/** The inverse of the target distance of each pair, on a map whose area grows with the number of microgenres. */
function computeWeights(nearness: readonly Float64Array[]): Float64Array[] {
  const radius = Math.sqrt(nearness.length / Math.PI)
  return nearness.map((row) =>
    row.map((near) => 1 / (MIN_GAP / 2 + (1 - near) * MAX_DISTANCE_PER_RADIUS * radius)),
  )
}

/** Moves each position towards its target distances. Short distances weigh most, by their square. */
function attract(places: readonly MapPosition[], weights: readonly Float64Array[]): void {
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as MapPosition
    const row = weights[i] as Float64Array
    let x = 0
    let y = 0
    let sum = 0
    for (let j = 0; j < places.length; j++) {
      if (i === j) continue
      const other = places[j] as MapPosition
      const weight = row[j] as number
      const dx = place.x - other.x
      const dy = place.y - other.y
      const unit = 1 / (Math.sqrt(dx * dx + dy * dy) || 1)
      x += (other.x * weight + dx * unit) * weight
      y += (other.y * weight + dy * unit) * weight
      sum += weight * weight
    }
    if (sum === 0) continue
    place.x += OVERRELAXATION * (x / sum - place.x)
    place.y += OVERRELAXATION * (y / sum - place.y)
  }
}

/** Pushes positions apart that are closer than MIN_GAP. Returns whether there were any. */
function separate(places: readonly MapPosition[]): boolean {
  let found = false
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as MapPosition
    for (let j = i + 1; j < places.length; j++) {
      const other = places[j] as MapPosition
      const dx = place.x - other.x
      const dy = place.y - other.y
      const square = dx * dx + dy * dy
      if (square >= MIN_GAP * MIN_GAP) continue
      found = true
      const distance = Math.sqrt(square)
      // Slightly more than needed, so that the loop ends.
      const push = (MIN_GAP * 1.01 - distance) / 2
      const towardsX = distance > 0 ? dx / distance : Math.cos(j * GOLDEN_ANGLE)
      const towardsY = distance > 0 ? dy / distance : Math.sin(j * GOLDEN_ANGLE)
      place.x += push * towardsX
      place.y += push * towardsY
      other.x -= push * towardsX
      other.y -= push * towardsY
    }
  }
  return found
}

/** Moves and rotates the whole map onto the previous one; the first map is centred on 0, 0. */
function alignWith(places: readonly MapPosition[], before: readonly (MapPosition | null)[]): void {
  const pairs = places.flatMap((place, i) => (before[i] ? [{ place, was: before[i] }] : []))
  const from = centroid(pairs.length > 0 ? pairs.map(({ place }) => place) : places)
  const to = centroid(pairs.map(({ was: previous }) => previous))
  let along = 0
  let across = 0
  for (const { place, was: previous } of pairs) {
    along += (place.x - from.x) * (previous.x - to.x) + (place.y - from.y) * (previous.y - to.y)
    across += (place.x - from.x) * (previous.y - to.y) - (place.y - from.y) * (previous.x - to.x)
  }
  const angle = Math.atan2(across, along)
  for (const place of places) {
    const dx = place.x - from.x
    const dy = place.y - from.y
    place.x = to.x + dx * Math.cos(angle) - dy * Math.sin(angle)
    place.y = to.y + dx * Math.sin(angle) + dy * Math.cos(angle)
  }
}

function limitMoves(places: readonly MapPosition[], before: readonly (MapPosition | null)[]): void {
  for (const [i, place] of places.entries()) {
    const previous = before[i]
    const move = previous ? distanceOf(place, previous) : 0
    if (!previous || move <= MAX_MOVE) continue
    place.x = previous.x + (MAX_MOVE / move) * (place.x - previous.x)
    place.y = previous.y + (MAX_MOVE / move) * (place.y - previous.y)
  }
}

/** Infinite when one of them is new. */
function findLongestMove(places: readonly MapPosition[], before: readonly (MapPosition | null)[]): number {
  return places.reduce((longest, place, i) => {
    const previous = before[i]
    return Math.max(longest, previous ? distanceOf(place, previous) : Number.POSITIVE_INFINITY)
  }, 0)
}

export const distanceOf = (one: MapPosition, other: MapPosition): number =>
  Math.hypot(one.x - other.x, one.y - other.y)

const centroid = (places: readonly MapPosition[]): MapPosition => ({
  x: places.reduce((sum, { x }) => sum + x, 0) / Math.max(1, places.length),
  y: places.reduce((sum, { y }) => sum + y, 0) / Math.max(1, places.length),
})
