import { useLayoutEffect, useRef } from 'react'
import { isolateName } from '../../contract/isolateName.ts'
import type { LibraryGenre } from './libraryView.ts'

interface GenreFilterProps {
  genres: readonly LibraryGenre[]
  /** Null while unknown. */
  total: number | null
  /** A microgenre's id; null for all. */
  selectedId: string | null
  onSelect: (id: string | null) => void
}

/** The filter by microgenre: a column beside the grid, on a phone a row above it (library-2). */
export function GenreFilter({ genres, total, selectedId, onSelect }: GenreFilterProps) {
  const list = useRef<HTMLDivElement>(null)
  // A removal changes the order, which may move the pressed button out of sight.
  useLayoutEffect(() => {
    if (genres.some(({ id }) => id === selectedId)) scrollToPressed(list.current)
  }, [genres, selectedId])
  return (
    <section aria-label="Filter by microgenre" className="genre-filter">
      <h2 className="mx-3 mt-1 mb-4 hidden railed:block">Microgenres</h2>
      <div ref={list} className="genre-filter-list">
        <GenreButton
          label={total === null ? 'All' : `All (${total})`}
          pressed={selectedId === null}
          onPress={() => onSelect(null)}
        />
        {genres.map(({ id, name, color, count }) => (
          <GenreButton
            key={id}
            label={`${isolateName(name)} (${count})`}
            color={color}
            pressed={selectedId === id}
            onPress={() => onSelect(id)}
          />
        ))}
      </div>
    </section>
  )
}

/** Scrolls the row without the page. */
function scrollToPressed(row: HTMLElement | null): void {
  const [rowRect, buttonRect] = [row, row?.querySelector('[aria-pressed=true]')].map((element) =>
    element?.getBoundingClientRect(),
  )
  if (!row || !rowRect || !buttonRect) return
  const margin = Number.parseFloat(getComputedStyle(row).paddingInlineStart)
  const [before, after] = [rowRect.left + margin - buttonRect.left, buttonRect.right + margin - rowRect.right]
  if (before > 0) row.scrollLeft -= before
  else if (after > 0) row.scrollLeft += after
}

interface GenreButtonProps {
  label: string
  color?: string
  pressed: boolean
  onPress: () => void
}

function GenreButton({ label, color, pressed, onPress }: GenreButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className="flex min-h-(--size-touch) flex-none items-center gap-2 rounded-control border border-line px-3 text-left whitespace-nowrap text-ink-2 hover:text-ink aria-pressed:bg-raised aria-pressed:font-semibold aria-pressed:text-ink railed:gap-3 railed:border-0"
    >
      <span
        aria-hidden="true"
        data-genre={color && ''}
        style={{ '--genre': color }}
        className={`size-2.5 flex-none ${color ? 'bg-accent' : 'bg-ink-3'}`}
      />
      {label}
    </button>
  )
}
