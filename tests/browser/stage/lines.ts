/** Edges on the screen, in px. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** Letters and boxes do not end on whole pixels. */
export const SLACK = 1

export const isWithin = (a: Box, b: Box) =>
  a.left >= b.left - SLACK &&
  a.right <= b.right + SLACK &&
  a.top >= b.top - SLACK &&
  a.bottom <= b.bottom + SLACK

export const overlap = (a: Box, b: Box) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK

/** The part of a box that is inside another. */
export const cut = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
})

export const hasText = (node: Node) => node.nodeType === Node.TEXT_NODE && Boolean(node.textContent?.trim())

/** One for all texts: a browser looks at every range, also at those of the past, whenever an element is moved. */
const range = document.createRange()

/**
 * The lines of an element's own text, each as high as its letters: the line height, because glyph boxes exceed it in
 * some fonts, or the font size where lines are tighter, less for capitals.
 */
export function linesOf(element: Element): Box[] {
  const { lineHeight, fontSize, writingMode } = getComputedStyle(element)
  const isCapital = element.textContent === element.textContent?.toUpperCase()
  const letters = Math.max(Number.parseFloat(lineHeight), Number.parseFloat(fontSize) * (isCapital ? 0.7 : 1))
  const isUpright = writingMode !== 'horizontal-tb'
  return [...element.childNodes].filter(hasText).flatMap((node) => {
    range.selectNodeContents(node)
    return [...range.getClientRects()]
      .filter(({ width, height }) => width > 0 && height > 0)
      .map(({ left, top, right, bottom, width, height }) => {
        const spare = Math.max(0, (isUpright ? width : height) - letters) / 2
        return isUpright
          ? { left: left + spare, right: right - spare, top, bottom }
          : { left, right, top: top + spare, bottom: bottom - spare }
      })
  })
}
