import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { memo, type ReactNode, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RatedSong } from '../../contract/library.ts'
import * as media from '../ui/media.ts'
import { usePagePosition } from '../ui/page/usePagePosition.ts'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import type { LibraryView } from './libraryView.ts'

interface VirtualGridProps {
  bangers: readonly RatedSong[]
  layout: LibraryView['layout']
  /** Changes only when its tiles do. */
  renderTile: (banger: RatedSong) => ReactNode
}

/** A grid or list that renders only the rows near the viewport, as large as `LibraryGrid` lays them out. */
export function VirtualGrid({ bangers, layout, renderTile }: VirtualGridProps) {
  const list = useRef<HTMLUListElement>(null)
  const { width, top, rem } = usePagePosition(list)
  const isPhone = useMediaQuery(media.narrow)
  const { columns, side, rowHeight, gap } =
    layout === 'list' ? getListLayout(width, rem) : getGridLayout(width, rem, isPhone)
  const count = Math.ceil(bangers.length / columns)
  const [sleeve, sleeveTop] =
    layout === 'list' ? [`${SLEEVE_SIZE}rem`, `${(ROW_HEIGHT - SLEEVE_SIZE) / 2}rem`] : [`${side}px`, '0']
  const step = `${side + gap}px ${rowHeight + gap}px`
  const { rows, height, isRenderingBehind } = useVirtualRows({ count, rowHeight, gap, top })

  return (
    <ul
      ref={list}
      aria-label="Your bangers"
      data-behind={isRenderingBehind || undefined}
      className="relative min-w-0"
      // From the first rendering on, so that the page can return to its scroll position.
      style={{ height, background: isRenderingBehind ? drawSleeves(sleeve, sleeveTop, step) : undefined }}
    >
      {width > 0 &&
        rows.flatMap(({ index, start }) =>
          bangers
            .slice(index * columns, (index + 1) * columns)
            .map((banger, n) => (
              <GridCell
                key={banger.id}
                banger={banger}
                position={index * columns + n + 1}
                total={bangers.length}
                side={side}
                x={n * (side + gap)}
                y={start - top}
                renderTile={renderTile}
              />
            )),
        )}
    </ul>
  )
}

/** Empty sleeves in the place of rows that are still to come. */
const drawSleeves = (size: string, top: string, step: string) =>
  `conic-gradient(at ${size} ${size}, transparent 75%, var(--raised) 0) 0 ${top} / ${step}`

interface GridCellProps {
  banger: RatedSong
  /** From 1. */
  position: number
  total: number
  /** In px, within the list. */
  side: number
  x: number
  y: number
  renderTile: VirtualGridProps['renderTile']
}

const GridCell = memo(function GridCell({ banger, position, total, side, x, y, renderTile }: GridCellProps) {
  return (
    <li
      aria-setsize={total}
      aria-posinset={position}
      className="absolute top-0 left-0"
      style={{ width: side, transform: `translate(${x}px, ${y}px)` }}
    >
      {renderTile(banger)}
    </li>
  )
})

/** In rem, as `gridClasses` of LibraryGrid lay out tiles. */
const GAP = 0.75
const MIN_TILE_SIDE = 9.25

/** In rem: the height of a tile's names, and of a row. */
const NAMES_HEIGHT = 5.5
const ROW_HEIGHT = 4

/** In rem: the side of a row's sleeve. */
const SLEEVE_SIZE = 3

function getGridLayout(width: number, rem: number, isPhone: boolean) {
  const gap = GAP * rem
  const minSide = Math.min(MIN_TILE_SIDE * rem, width * 0.45)
  const columns = isPhone || width === 0 ? 2 : Math.floor((width + gap) / (minSide + gap))
  const side = Math.max(1, (width - (columns - 1) * gap) / columns)
  return { columns, side, rowHeight: side + NAMES_HEIGHT * rem, gap }
}

function getListLayout(width: number, rem: number) {
  return { columns: 1, side: width, rowHeight: ROW_HEIGHT * rem, gap: 0 }
}

interface RowMetrics {
  /** Of rows. */
  count: number
  /** In px. */
  rowHeight: number
  gap: number
  /** In px from the top of the page. */
  top: number
}

interface VirtualRows {
  rows: readonly VirtualItem[]
  /** Of the list, in px. */
  height: number
  /** Whether rows in sight may be missing. */
  isRenderingBehind: boolean
}

/** The rows in sight and some more. While the page scrolls fast none are added (library-18). */
function useVirtualRows({ count, rowHeight, gap, top }: RowMetrics): VirtualRows {
  const isScrollingFast = useIsScrollingFast()
  const virtualizer = useWindowVirtualizer({
    count,
    gap,
    estimateSize: () => rowHeight,
    scrollMargin: top,
    overscan: 3,
    // A row and the scroll speed at which it came are rendered together.
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer keeps the heights that it estimated before
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  const rows = virtualizer.getVirtualItems()
  const [renderedRows, setRenderedRows] = useState(rows)
  if (!isScrollingFast && renderedRows !== rows) setRenderedRows(rows)
  return {
    rows: isScrollingFast ? renderedRows : rows,
    height: virtualizer.getTotalSize(),
    isRenderingBehind: isScrollingFast,
  }
}

/** Pixels per millisecond. At a higher speed rows cannot be read. */
const FAST_SCROLL_SPEED = 2

/** Milliseconds after the last fast scroll event. */
const SCROLL_END_DELAY = 100

function useIsScrollingFast(): boolean {
  const [isScrollingFast, setScrollingFast] = useState(false)
  useEffect(() => {
    /** Position and time of the last scroll event. */
    let last = { y: 0, at: Number.NEGATIVE_INFINITY }
    let endTimer: ReturnType<typeof setTimeout> | undefined
    const onScroll = () => {
      const now = { y: window.scrollY, at: performance.now() }
      if (Math.abs(now.y - last.y) / (now.at - last.at) > FAST_SCROLL_SPEED) {
        clearTimeout(endTimer)
        // A transition lets a slow device go on scrolling.
        endTimer = setTimeout(() => startTransition(() => setScrollingFast(false)), SCROLL_END_DELAY)
        setScrollingFast(true)
      }
      last = now
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(endTimer)
      window.removeEventListener('scroll', onScroll)
    }
  }, [])
  return isScrollingFast
}
