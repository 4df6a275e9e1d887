import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { RatedSong } from '../../contract/library.ts'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { usePlaceOnPage } from '../ui/usePlaceOnPage.ts'

interface LongGridProps {
  bangers: readonly RatedSong[]
  tile: (banger: RatedSong) => ReactNode
}

/** A virtual grid for thousands of bangers, with the measures of the short one. */
export function LongGrid({ bangers, tile }: LongGridProps) {
  const list = useRef<HTMLUListElement>(null)
  const { width, top } = usePlaceOnPage(list)
  const phone = useMediaQuery('(max-width: 719px)')
  const { columns, side, rowHeight } = measure(width, phone)
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(bangers.length / columns),
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
      style={{ height: virtualizer.getTotalSize() }}
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
                transform: `translate(${column * (side + GAP)}px, ${row.start - top}px)`,
              }}
            >
              {tile(banger)}
            </li>
          )),
        )}
    </ul>
  )
}

const GAP = 12

/** Columns, side of a tile and height of a row in px, as `gridLook` lays them out. */
function measure(width: number, phone: boolean) {
  const columns = phone || width === 0 ? 2 : Math.floor((width + GAP) / (Math.min(148, width * 0.45) + GAP))
  const side = Math.max(1, (width - (columns - 1) * GAP) / columns)
  return { columns, side, rowHeight: phone ? side + CAPTION + 16 : side + GAP }
}

/** Height of title and artist below a tile on a phone. */
const CAPTION = 50
