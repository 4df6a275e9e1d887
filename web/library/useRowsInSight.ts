import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { covers, isSame, type List, nextRows, type Rows, rowsInSight, rowsWanted } from './rowsInSight.ts'

/** Pixels a millisecond. Faster, rows are gone before they can be read (library-18). */
const FAST = 2

/** Milliseconds after which fast scrolling is over. */
const REST = 100

interface Drawn {
  rows: Rows
  /** Whether rows in sight are not drawn yet. */
  isBehind: boolean
}

/** The rows to draw. While the page scrolls fast none are added; afterwards a few in each frame. */
export function useRowsInSight({ count, rowHeight, top }: List): Drawn {
  const list = { count, rowHeight, top }
  const [drawn, setDrawn] = useState({ ...list, ...drawAll(list) })
  if (drawn.count !== count || drawn.rowHeight !== rowHeight || drawn.top !== top)
    setDrawn({ ...list, ...drawAll(list) })
  const current = useRef(drawn)
  useLayoutEffect(() => {
    current.current = drawn
  }, [drawn])

  useEffect(() => {
    const list = { count, rowHeight, top }
    /** The last scroll event: where and when. */
    let last: { y: number; at: number } | undefined
    let rest: ReturnType<typeof setTimeout> | undefined
    let frame = 0
    const set = (change: Partial<Drawn>) => setDrawn((known) => ({ ...known, ...change }))
    const draw = () => {
      clearTimeout(rest)
      rest = undefined
      const before = current.current
      const inSight = inSightNow(list)
      const wanted = rowsWanted(list, inSight)
      const rows = nextRows(before.rows, wanted)
      const isBehind = !covers(rows, inSight)
      if (!isSame(rows, before.rows) || isBehind !== before.isBehind) set({ rows, isBehind })
      cancelAnimationFrame(frame)
      if (!isSame(rows, wanted)) frame = requestAnimationFrame(draw)
    }
    const follow = () => {
      const now = { y: window.scrollY, at: performance.now() }
      const speed = last ? Math.abs(now.y - last.y) / (now.at - last.at) : 0
      last = now
      if (speed > FAST) {
        cancelAnimationFrame(frame)
        clearTimeout(rest)
        rest = setTimeout(draw, REST)
        if (!current.current.isBehind) set({ isBehind: true })
      } else if (rest === undefined) draw()
    }
    window.addEventListener('scroll', follow, { passive: true })
    window.addEventListener('resize', draw)
    return () => {
      clearTimeout(rest)
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', follow)
      window.removeEventListener('resize', draw)
    }
  }, [count, rowHeight, top])
  return drawn
}

function drawAll(list: List): Drawn {
  return { rows: rowsWanted(list, inSightNow(list)), isBehind: false }
}

const inSightNow = (list: List) => rowsInSight(list, window.scrollY, window.innerHeight)
