import type { RatedSong } from '../../contract/library.ts'
import { PlayAll } from '../playback/QueueButtons.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { Select } from '../ui/controls/Field.tsx'
import { SearchField } from '../ui/controls/SearchField.tsx'
import { LayoutGrid, List } from '../ui/laterIcons.ts'
import { openDialog } from '../ui/screenParams.ts'
import { SORTS, type Sort, updateLibraryView, useLibraryView, useSelection } from './libraryView.ts'

/**
 * Play all, search, sort, and grid or list (library-30, library-12, library-13). `shownBangers` are in the order of the
 * page; null until all have loaded.
 */
export function LibraryToolbar({ shownBangers }: { shownBangers: readonly RatedSong[] | null }) {
  const { layout, sort, search } = useLibraryView()
  const isSelecting = useSelection((selection) => selection !== null)
  const Icon = layout === 'list' ? LayoutGrid : List
  return (
    <div className="mb-4 flex flex-wrap gap-2 low:order-1 low:m-0 low:basis-full">
      {!isSelecting && (
        <>
          <PlayAll
            songs={() => (shownBangers ?? []).map(({ song }) => song)}
            disabled={!shownBangers?.length}
          />
          <Button
            disabled={!shownBangers?.length}
            onClick={() => openDialog('save-as')}
            className={narrowClasses}
          >
            Save as…
          </Button>
          <Button disabled={!shownBangers} onClick={() => openDialog('mixes')} className={narrowClasses}>
            Mixes
          </Button>
        </>
      )}
      <search className="flex min-w-0 grow basis-76 gap-2 low:basis-58">
        <SearchField
          label="Search your bangers"
          value={search}
          placeholder="Search"
          enterKeyHint="search"
          maxLength={MAX_SEARCH_LENGTH}
          onChange={(text) => updateLibraryView({ search: text })}
          className="min-w-0 flex-1"
        />
        <Select
          aria-label="Sort by"
          value={sort}
          options={SORTS.map((value) => ({ value, name: sortNames[value] }))}
          onChange={(chosen) => updateLibraryView({ sort: chosen })}
          className={controlClasses}
        />
        <button
          type="button"
          aria-label={layout === 'list' ? 'Show as grid' : 'Show as list'}
          title={layout === 'list' ? 'Show as grid' : 'Show as list'}
          onClick={() => updateLibraryView({ layout: layout === 'list' ? 'grid' : 'list' })}
          className={`field grid place-items-center px-3 ${controlClasses}`}
        >
          <Icon />
        </button>
      </search>
    </div>
  )
}

/** In place of the toolbar's buttons; it stays in view above a long library. */
export const SelectionBar = ({ size }: { size: number }) => (
  <div className="sticky top-(--header) z-2 mb-2 flex gap-2 bg-paper py-2">
    <Button variant="main" disabled={size === 0} onClick={() => openDialog('mixes')}>
      Make a mix ({size})
    </Button>
    <Button onClick={() => useSelection.setState(null, true)}>Cancel</Button>
  </div>
)

const narrowClasses = 'flex-none max-wide:px-2.5'

/** As in the contract's exports. */
const MAX_SEARCH_LENGTH = 200

/** As high as the search field. */
const controlClasses = 'h-full min-h-12 w-auto flex-none py-0'

const sortNames = {
  newest: 'Newest',
  artist: 'Artist',
  title: 'Title',
  genre: 'Genre',
} satisfies Record<Sort, string>
