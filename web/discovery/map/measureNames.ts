/** The widths of names on the map, in pixels, in the font of `.map-name` at its boldest. */
export function measureNames(names: readonly string[]): number[] {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return names.map((name) => name.length * WIDEST)
  context.font = `650 13px ${getComputedStyle(document.body).fontFamily}`
  // A pixel on either side for what rounding takes.
  return names.map((name) => Math.ceil(context.measureText(name).width) + 2)
}

/** Pixels of a letter where nothing can be measured. */
const WIDEST = 8
