import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { RatedSong } from '../../contract/library.ts'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { usePlaceOnPage } from '../ui/usePlaceOnPage.ts'
import type { LibraryView } from './libraryView.ts'

interface LongGridProps {
  bangers: readonly RatedSong[]
  layout: LibraryView['layout']
  tile: (banger: RatedSong) => ReactNode
}

/** A virtual grid or list for thousands of bangers, with the measures of the short one. */
export function LongGrid({ bangers, layout, tile }: LongGridProps) {
  const list = useRef<HTMLUListElement>(null)
  const { width, top } = usePlaceOnPage(list)
  const phone = useMediaQuery('(max-width: 719px)')
  const { columns, side, rowHeight, gap } = layout === 'list' ? rowsOf(width) : tilesOf(width, phone)
  const rows = Math.ceil(bangers.length / columns)
  const virtualizer = useWindowVirtualizer({
    count: rows,
    estimateSize: () => rowHeight,
    overscan: 4,
    scrollMargin: top,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are measured anew when their height changed
  useLayoutEffect(() => virtualizer.measure(), [rowHeight])

  return (
    <ul
      ref={list}
      aria-label="Your bangers"
      className="relative min-w-0"
      // At once, so that the page can be scrolled to where it was.
      style={{ height: rows * rowHeight - gap }}
    >
      {width > 0 &&
        virtualizer.getVirtualItems().flatMap((row) =>
          bangers.slice(row.index * columns, (row.index + 1) * columns).map((banger, column) => (
            <li
              key={banger.id}
              aria-setsize={bangers.length}
              aria-posinset={row.index * columns + column + 1}
              className="absolute top-0 left-0"
              style={{
                width: side,
                transform: `translate(${column * (side + gap)}px, ${row.start - top}px)`,
              }}
            >
              {tile(banger)}
            </li>
          )),
        )}
    </ul>
  )
}

/** In px, as `library-grid` lays out tiles. */
const GAP = 12
const LEAST_SIDE = 148

/** Height of `tile-names` and of `library-row` in px. */
const NAMES = 88
const ROW = 64

function tilesOf(width: number, phone: boolean) {
  const least = Math.min(LEAST_SIDE, width * 0.45)
  const columns = phone || width === 0 ? 2 : Math.floor((width + GAP) / (least + GAP))
  const side = Math.max(1, (width - (columns - 1) * GAP) / columns)
  return { columns, side, rowHeight: side + NAMES + GAP, gap: GAP }
}

function rowsOf(width: number) {
  return { columns: 1, side: width, rowHeight: ROW, gap: 0 }
}
