import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import { usePagePosition } from './usePagePosition.ts'

interface LongListProps<Item> {
  label: string
  items: readonly Item[]
  keyOf: (item: Item) => string
  row: (item: Item) => ReactNode
  /** Estimated height of a row in px, before it is measured. */
  rowHeight?: number
  /** Shown after the rows, told which of them are rendered. */
  children?: (rendered: readonly Item[]) => ReactNode
}

/** Lists up to this length are rendered whole, longer ones only near the viewport. */
const MAX_UNVIRTUALIZED_ITEMS = 200

/** A virtual list for thousands of rows of any height. */
export function LongList<Item>(props: LongListProps<Item>) {
  const { label, items, keyOf, row, rowHeight = 56, children } = props
  const list = useRef<HTMLUListElement>(null)
  const { top } = usePagePosition(list)
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    overscan: items.length > MAX_UNVIRTUALIZED_ITEMS ? 12 : MAX_UNVIRTUALIZED_ITEMS,
    scrollMargin: top,
  })
  const rendered = virtualizer.getVirtualItems()
  return (
    <>
      <ul ref={list} aria-label={label} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {rendered.map(({ key, index, start }) => {
          const item = items[index]
          return (
            item !== undefined && (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0 border-b border-line"
                style={{ transform: `translateY(${start - top}px)` }}
              >
                {row(item)}
              </li>
            )
          )
        })}
      </ul>
      {children?.(rendered.flatMap(({ index }) => items.slice(index, index + 1)))}
    </>
  )
}
