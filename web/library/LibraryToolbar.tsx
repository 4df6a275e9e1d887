import { LayoutGrid, List } from 'lucide-react'
import { SearchField } from '../ui/SearchField.tsx'
import { Select } from '../ui/Select.tsx'
import { useStore } from '../ui/store.ts'
import { changeView, libraryView, SORTS, type Sort } from './libraryView.ts'

/** Search, sort, and the choice of grid or list (library-12, library-13). */
export function LibraryToolbar() {
  const { layout, sort, search } = useStore(libraryView, (state) => state)
  const Icon = layout === 'list' ? LayoutGrid : List
  return (
    <search className="mb-4 flex gap-2">
      <SearchField
        label="Search your bangers"
        value={search}
        placeholder="Search"
        enterKeyHint="search"
        onChange={(words) => changeView({ search: words })}
        className="min-w-0 flex-1"
      />
      <Select
        aria-label="Sort by"
        value={sort}
        options={SORTS.map((value) => ({ value, name: names[value] }))}
        onChange={(chosen) => changeView({ sort: chosen })}
        className="library-control w-auto flex-none"
      />
      <button
        type="button"
        aria-label={layout === 'list' ? 'Show as grid' : 'Show as list'}
        title={layout === 'list' ? 'Show as grid' : 'Show as list'}
        onClick={() => changeView({ layout: layout === 'list' ? 'grid' : 'list' })}
        className="field library-control grid w-auto flex-none place-items-center px-3"
      >
        <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
      </button>
    </search>
  )
}

const names = {
  newest: 'Newest',
  artist: 'Artist',
  title: 'Title',
  genre: 'Genre',
} satisfies Record<Sort, string>
