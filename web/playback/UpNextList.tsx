import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import type { Song } from '../../contract/shapes.ts'

interface UpNextListProps {
  label: string
  songs: readonly Song[]
  /** The place of the first song that is shown. */
  from: number
  children: (song: Song, place: number) => ReactNode
}

/** Height of `queue-row` in px. */
const ROW = 64

/** A virtual list inside a dialog: only rows near its frame are rendered. */
export function UpNextList({ label, songs, from, children }: UpNextListProps) {
  const list = useRef<HTMLUListElement>(null)
  const virtualizer = useVirtualizer({
    count: songs.length - from,
    estimateSize: () => ROW,
    getScrollElement: () => list.current?.closest('.scroll-area') ?? null,
    getItemKey: (index) => songs[from + index]?.id ?? index,
    overscan: 3,
  })
  return (
    <ul ref={list} aria-label={label} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const song = songs[from + index]
        return (
          song && (
            <li
              key={key}
              aria-setsize={songs.length - from}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(song, from + index)}
            </li>
          )
        )
      })}
    </ul>
  )
}
