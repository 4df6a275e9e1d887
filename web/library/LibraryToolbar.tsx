import type { RatedSong } from '../../contract/library.ts'
import { PlayAll } from '../playback/PlayAll.tsx'
import { LayoutGrid, List } from '../ui/laterIcons.ts'
import { SearchField } from '../ui/SearchField.tsx'
import { Select } from '../ui/Select.tsx'
import { useStore } from '../ui/store.ts'
import { changeView, libraryView, SORTS, type Sort } from './libraryView.ts'

interface LibraryToolbarProps {
  /** In the order of the page; null while not all of them are there. */
  shown: readonly RatedSong[] | null
}

/** Play all, search, sort, and the choice of grid or list (library-30, library-12, library-13). */
export function LibraryToolbar({ shown }: LibraryToolbarProps) {
  const { layout, sort, search } = useStore(libraryView, (state) => state)
  const Icon = layout === 'list' ? LayoutGrid : List
  return (
    <div className="library-tools">
      <PlayAll songs={() => (shown ?? []).map(({ song }) => song)} disabled={!shown?.length} />
      <search>
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
          <Icon />
        </button>
      </search>
    </div>
  )
}

const names = {
  newest: 'Newest',
  artist: 'Artist',
  title: 'Title',
  genre: 'Genre',
} satisfies Record<Sort, string>
