import type { LibraryGenre } from './libraryGenres.ts'
import { tileColor } from './tileColor.ts'

interface GenreFilterProps {
  genres: readonly LibraryGenre[]
  total: number
  /** The chosen microgenre's id; null for all. */
  chosen: string | null
  onChoose: (id: string | null) => void
}

/** The filter by microgenre: a column beside the grid, on a phone a row above it (library-2). */
export function GenreFilter({ genres, total, chosen, onChoose }: GenreFilterProps) {
  return (
    <section
      aria-label="Filter by microgenre"
      className="max-wide:-mx-4 max-wide:mb-4 wide:sticky wide:top-(--size-header) wide:col-start-2 wide:row-span-2 wide:row-start-1 wide:flex wide:max-h-[calc(100svh-var(--size-header)-var(--dock-h)-3.5rem)] wide:flex-col wide:self-start"
    >
      <h2 className="mx-3 mt-1 mb-4 hidden wide:block">Microgenres</h2>
      <div className="flex gap-2 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] wide:grid wide:min-h-0 wide:gap-0 wide:overflow-y-auto wide:px-0.5 wide:[scrollbar-width:thin]">
        <Choice label={`All (${total})`} pressed={chosen === null} onPress={() => onChoose(null)} />
        {genres.map(({ id, name, count }) => (
          <Choice
            key={id}
            label={`${name} (${count})`}
            edge={tileColor(name)}
            pressed={chosen === id}
            onPress={() => onChoose(id)}
          />
        ))}
      </div>
    </section>
  )
}

interface ChoiceProps {
  label: string
  edge?: string
  pressed: boolean
  onPress: () => void
}

function Choice({ label, edge = 'var(--ink-3)', pressed, onPress }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className="flex min-h-(--size-touch) flex-none items-center gap-3 rounded-control px-3 text-left whitespace-nowrap text-ink-2 hover:text-ink aria-pressed:bg-raised aria-pressed:font-semibold aria-pressed:text-ink max-wide:gap-2 max-wide:border max-wide:border-line"
    >
      <span aria-hidden="true" className="size-2.5 flex-none" style={{ background: edge }} />
      {label}
    </button>
  )
}
