/** A dot on the map and the size of its name, in pixels. */
export interface Spot {
  x: number
  y: number
  width: number
  height?: number
  /** Names of a higher rank are placed first; 0 when left out. */
  rank?: number
}

export interface LabelBox {
  left: number
  top: number
  right: number
  bottom: number
}

interface LabelMeasures {
  /** Of every dot. */
  radius: number
  /** Of a name without a height of its own. */
  height: number
  /** Names stay inside. */
  within?: LabelBox
}

/** Pixels between two names. */
const LABEL_GAP = 2

/**
 * Places each name beside its dot so that it covers no dot and no other name (discover-85); null where it does not
 * fit. The most constrained name is placed first, where it blocks the fewest places of others. The same dots give the
 * same places.
 */
export function placeLabels(
  spots: readonly Spot[],
  { radius, height, within }: LabelMeasures,
): (LabelBox | null)[] {
  const dots = spots.map(({ x, y }) => boxAround(x, y, radius))
  const free = spots.map((spot, i) =>
    boxesBeside(spot, radius, spot.height ?? height).filter(
      (box) =>
        (!within || isWithin(box, within)) && !dots.some((dot, j) => j !== i && isCloserThan(box, dot, 0)),
    ),
  )
  const placed = spots.map((): LabelBox | null => null)
  const left = new Set(spots.keys())
  while (left.size > 0) {
    const i = pickMostConstrained(left, spots, free)
    left.delete(i)
    const box = pickLeastBlocking(free[i] ?? [], left, free)
    if (!box) continue
    placed[i] = box
    for (const j of left) free[j] = (free[j] ?? []).filter((other) => !isCloserThan(other, box, LABEL_GAP))
  }
  return placed
}

/** Below, above, right and left of the dot, then the same turned towards the corners. */
function boxesBeside({ x, y, width }: Spot, radius: number, height: number): LabelBox[] {
  const rows = { below: y + radius, above: y - radius - height, beside: y - height / 2 }
  const columns = {
    middle: x - width / 2,
    right: x + radius + LABEL_GAP,
    left: x - radius - LABEL_GAP - width,
  }
  const inward = radius / 2
  return [
    [columns.middle, rows.below],
    [columns.middle, rows.above],
    [columns.right, rows.beside],
    [columns.left, rows.beside],
    [x - inward, rows.below],
    [x + inward - width, rows.below],
    [x - inward, rows.above],
    [x + inward - width, rows.above],
  ].map(([left = 0, top = 0]) => ({ left, top, right: left + width, bottom: top + height }))
}

function pickMostConstrained(
  left: ReadonlySet<number>,
  spots: readonly Spot[],
  free: readonly (readonly LabelBox[])[],
): number {
  const rankOf = (i: number) => spots[i]?.rank ?? 0
  const choicesOf = (i: number) => free[i]?.length ?? 0
  return [...left].reduce((one, other) => {
    if (rankOf(one) !== rankOf(other)) return rankOf(one) > rankOf(other) ? one : other
    return choicesOf(other) < choicesOf(one) ? other : one
  })
}

function pickLeastBlocking(
  boxes: readonly LabelBox[],
  left: ReadonlySet<number>,
  free: readonly (readonly LabelBox[])[],
): LabelBox | null {
  let best: LabelBox | null = null
  let fewest = Number.POSITIVE_INFINITY
  for (const box of boxes) {
    let blocked = 0
    for (const j of left)
      for (const other of free[j] ?? []) if (isCloserThan(box, other, LABEL_GAP)) blocked++
    if (blocked >= fewest) continue
    best = box
    fewest = blocked
  }
  return best
}

const boxAround = (x: number, y: number, radius: number): LabelBox => ({
  left: x - radius,
  top: y - radius,
  right: x + radius,
  bottom: y + radius,
})

const isWithin = (box: LabelBox, frame: LabelBox) =>
  box.left >= frame.left && box.top >= frame.top && box.right <= frame.right && box.bottom <= frame.bottom

/** Whether less than `gap` is between them. */
const isCloserThan = (one: LabelBox, other: LabelBox, gap: number) =>
  one.left < other.right + gap &&
  other.left < one.right + gap &&
  one.top < other.bottom + gap &&
  other.top < one.bottom + gap
