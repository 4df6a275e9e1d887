import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { startTransition, useEffect, useLayoutEffect, useState } from 'react'

interface List {
  /** Of rows. */
  count: number
  /** In px. */
  rowHeight: number
  gap: number
  /** In px from the top of the page. */
  top: number
}

interface Drawn {
  rows: readonly VirtualItem[]
  /** Of the list, in px. */
  height: number
  /** Whether rows in sight may not be drawn yet. */
  isBehind: boolean
}

/** The rows to draw: those in sight and some more. While the page scrolls fast none are added (library-18). */
export function useRowsInSight({ count, rowHeight, gap, top }: List): Drawn {
  const isFast = useFastScroll()
  const virtualizer = useWindowVirtualizer({
    count,
    gap,
    estimateSize: () => rowHeight,
    scrollMargin: top,
    overscan: 3,
    // So that a row and the speed at which it came are rendered together.
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it keeps the heights that it estimated before.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  const rows = virtualizer.getVirtualItems()
  const [drawn, setDrawn] = useState(rows)
  if (!isFast && drawn !== rows) setDrawn(rows)
  return { rows: isFast ? drawn : rows, height: virtualizer.getTotalSize(), isBehind: isFast }
}

/** Pixels a millisecond. Faster, rows are gone before they can be read. */
const FAST = 2

/** Milliseconds after which fast scrolling is over. */
const REST = 100

function useFastScroll(): boolean {
  const [isFast, setFast] = useState(false)
  useEffect(() => {
    /** The last scroll event: where and when. */
    let last = { y: 0, at: Number.NEGATIVE_INFINITY }
    let rest: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      const now = { y: window.scrollY, at: performance.now() }
      if (Math.abs(now.y - last.y) / (now.at - last.at) > FAST) {
        clearTimeout(rest)
        // A transition, so that a slow device goes on scrolling meanwhile.
        rest = setTimeout(() => startTransition(() => setFast(false)), REST)
        setFast(true)
      }
      last = now
    }
    window.addEventListener('scroll', follow, { passive: true })
    return () => {
      clearTimeout(rest)
      window.removeEventListener('scroll', follow)
    }
  }, [])
  return isFast
}
