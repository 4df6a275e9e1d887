/* Which rows of a long list, all of one height, are drawn. */

export interface List {
  /** Of rows. */
  count: number
  /** In px. */
  rowHeight: number
  /** In px from the top of the page. */
  top: number
}

/** Rows from `from` to before `to`. */
export interface Rows {
  from: number
  to: number
}

/** Rows that are drawn above and below those in sight. */
const MORE = 3

/** Rows that are drawn on each side in one frame, so that a slow device goes on scrolling. */
const STEP = 1

/** The rows in sight in a window of this height that is scrolled to `y` px. */
export function rowsInSight({ count, rowHeight, top }: List, y: number, height: number): Rows {
  const within = (row: number) => Math.min(Math.max(0, row), count)
  return {
    from: within(Math.floor((y - top) / rowHeight)),
    to: within(Math.ceil((y - top + height) / rowHeight)),
  }
}

/** Those in sight and some more. */
export const rowsWanted = ({ count }: List, { from, to }: Rows): Rows => ({
  from: Math.max(0, from - MORE),
  to: Math.min(count, to + MORE),
})

/** What to draw next of what is wanted: a few rows more than are drawn, or one row in its middle. */
export function nextRows(drawn: Rows, wanted: Rows): Rows {
  const from = Math.max(drawn.from, wanted.from)
  const to = Math.min(drawn.to, wanted.to)
  if (from < to) return { from: Math.max(wanted.from, from - STEP), to: Math.min(wanted.to, to + STEP) }
  const middle = Math.floor((wanted.from + wanted.to) / 2)
  return { from: middle, to: Math.min(wanted.to, middle + 1) }
}

export const isSame = (one: Rows, other: Rows) => one.from === other.from && one.to === other.to

/** Whether all rows in sight are drawn. */
export const covers = (drawn: Rows, inSight: Rows) => drawn.from <= inSight.from && drawn.to >= inSight.to
