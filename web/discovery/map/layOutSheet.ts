import { type LabelBox, placeLabels, type Spot } from '../../../contract/placeLabels.ts'

/** Pixels, as in map.css. */
const NAME_HEIGHT = 18
const DOT_RADIUS = 10

/** Pixels around everything that is drawn. */
const MARGIN = 28

/**
 * Pixels for each unit of the map. Even at the smallest scale dots are 44 pixels apart, because no two places are
 * nearer than 0.6 (discover-80).
 */
const SCALES = { smallest: 76, largest: 112, step: 4 }

/** The map as it is drawn, in pixels. */
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

/** The smallest sheet on which all names fit, else the largest (discover-85). `widths` are those of the names. */
export function layOutSheet(places: readonly { x: number; y: number }[], widths: readonly number[]): Sheet {
  for (let scale = SCALES.smallest; ; scale += SCALES.step) {
    const spots = places.map(({ x, y }, i) => ({ x: x * scale, y: y * scale, width: widths[i] ?? 0 }))
    const names = placeLabels(spots, { radius: DOT_RADIUS, height: NAME_HEIGHT })
    if (scale >= SCALES.largest || names.every((name) => name !== null)) return cropSheet(spots, names)
  }
}

/** The sheet begins at 0, 0, and its margin is everywhere the same. */
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
