import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { Link } from 'wouter'
import type { RatedSong } from '../../contract/library.ts'
import { CollectionsButton, ShareCollectionButton } from '../collections/CollectionButtons.tsx'
import { Button, buttonClasses } from '../ui/controls/Button.tsx'
import { HeadingButton } from '../ui/controls/HeadingButton.tsx'
import { focusPage } from '../ui/keyboard/openDialogs.ts'
import { useHotkeys } from '../ui/keyboard/useHotkeys.ts'
import { Download } from '../ui/laterIcons.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { lazyDialog } from '../ui/page/lazyComponent.tsx'
import { openDialog, useDialog } from '../ui/screenParams.ts'
import { toast } from '../ui/toast.ts'
import { GenreFilter } from './GenreFilter.tsx'
import { LibraryGrid, SkeletonTiles } from './LibraryGrid.tsx'
import { LibraryToolbar, SelectionBar } from './LibraryToolbar.tsx'
import { countGenres, findBangers, updateLibraryView, useLibraryView, useSelection } from './libraryView.ts'
import { useBangers } from './ratingsQuery.ts'
import { undoRemovals } from './useRemoveFromLibrary.ts'
import './layouts.css'

const MixesDialog = lazyDialog(async () => (await import('../mixes/MixesDialog.tsx')).MixesDialog)
const SaveAsDialog = lazyDialog(async () => (await import('./SaveAsDialog.tsx')).SaveAsDialog)
const SuggestDialog = lazyDialog(async () => (await import('../suggestions/SuggestDialog.tsx')).SuggestDialog)

/** My Library: the bangers as a grid of covers or as a list, by microgenre. */
export function LibrarySection({ onDiscover }: { onDiscover: () => void }) {
  const { bangers, isComplete, isError, refetch } = useBangers()
  const retry = () => void refetch()
  useHotkeys({ u: undoRemovals })
  if (isComplete && bangers?.length === 0) {
    return (
      <LibraryFrame
        actions={
          <div className="flex items-center gap-1 wide:gap-2">
            <CollectionsButton canCreate={false} />
            <ShareCollectionButton genres={[]} />
          </div>
        }
      >
        <EmptyLibrary onDiscover={onDiscover} />
      </LibraryFrame>
    )
  }
  if (isError && !bangers) {
    return (
      <LibraryFrame>
        <div className={messageClasses}>
          <LoadFailure isMain onRetry={retry}>
            Your library did not load.
          </LoadFailure>
        </div>
      </LibraryFrame>
    )
  }
  return (
    <LibraryContent
      bangers={bangers ?? []}
      isComplete={isComplete}
      onRetry={isError && !isComplete ? retry : null}
    />
  )
}

interface LibraryContentProps {
  bangers: readonly RatedSong[]
  /** False until all bangers have loaded. */
  isComplete: boolean
  /** Set when the rest did not load. */
  onRetry: (() => void) | null
}

function LibraryContent({ bangers, isComplete, onRetry }: LibraryContentProps) {
  const view = useLibraryView()
  const genres = useMemo(() => countGenres(bangers), [bangers])
  // The last banger of the filter may have been removed.
  const genre = isComplete && !genres.some(({ id }) => id === view.genre) ? null : view.genre
  const search = useDeferredValue(view.search)
  const { sort } = view
  const selection = useSelection()
  const mixesDialog = useDialog('mixes')
  const shownBangers = useMemo(
    () => findBangers(bangers, { genre, search, sort }),
    [bangers, genre, search, sort],
  )
  // The first page has the newest bangers, so it can only be shown unfiltered in that order.
  const canShow = isComplete || (bangers.length > 0 && !genre && !search && sort === 'newest')

  return (
    <LibraryFrame
      actions={
        isComplete && (
          <>
            <CollectionsButton canCreate={genres.length > 0} />
            <ShareCollectionButton genres={genres} />
          </>
        )
      }
    >
      <LibraryToolbar shownBangers={isComplete ? shownBangers : null} />
      {isComplete && (
        <MixesDialog
          {...mixesDialog}
          bangers={bangers}
          shown={shownBangers}
          selectedIds={selection}
          onSelect={(ids) => useSelection.setState(ids, true)}
        />
      )}
      <SaveAsDialog
        {...useDialog('save-as')}
        filter={{ ...(genre && { microgenre: genre }), ...(search.trim() && { search: search.trim() }) }}
        sort={sort}
      />
      <GenreFilter
        genres={isComplete ? genres : []}
        total={isComplete ? bangers.length : null}
        selectedId={genre}
        onSelect={(id) => updateLibraryView({ genre: id })}
      />
      <div className="min-w-0 low:order-2 low:basis-full">
        {selection && <SelectionBar size={selection.size} />}
        {canShow ? (
          <LibraryGrid
            bangers={shownBangers}
            total={isComplete ? bangers.length : Number.POSITIVE_INFINITY}
            layout={view.layout}
          />
        ) : (
          !onRetry && <SkeletonTiles layout={view.layout} />
        )}
        {isComplete && <SearchStatus matchCount={shownBangers.length} search={search} />}
        {onRetry && <LoadFailure onRetry={onRetry}>Not all of your bangers could be loaded.</LoadFailure>}
      </div>
    </LibraryFrame>
  )
}

/** The result of a search, visible when there is none, and the button for a missing song. */
function SearchStatus({ matchCount, search }: { matchCount: number; search: string }) {
  const showAll = () => {
    updateLibraryView({ search: '', genre: null })
    focusPage()
  }
  return (
    <>
      <p role="status" className={matchCount === 0 ? 'mb-4 text-base wrap-anywhere text-ink-2' : 'sr-only'}>
        {matchCount === 0 ? `No banger matches “${search.trim()}”.` : search.trim() && `${matchCount} found`}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        {matchCount === 0 && <Button onClick={showAll}>Show all bangers</Button>}
        <Button onClick={() => openDialog('suggest')}>Suggest a song</Button>
      </div>
    </>
  )
}

/** The heading, which never moves, and what is below it. */
function LibraryFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="library [--page-x:1rem] wide:[--page-x:1.5rem]">
      <div className="@container mb-4 flex items-start justify-between gap-3 low:@container-normal low:m-0 low:flex-none">
        <h1 className="flex min-h-(--size-touch) items-center whitespace-nowrap max-[23.375rem]:[font-stretch:75%]">
          My Library
        </h1>
        <div className="flex items-center gap-1 wide:gap-2">
          {actions}
          <ExportButton />
        </div>
      </div>
      {children}
      <SuggestDialog {...useDialog('suggest')} />
    </div>
  )
}

/** In place of the filter and the grid. */
const messageClasses =
  'col-span-2 grid justify-items-start gap-4 border-t border-line pt-8 low:basis-full railed:pr-[max(0px,var(--beside)-var(--page-x))]'

/** A library without bangers: empty places, and the button to Discover. */
function EmptyLibrary({ onDiscover }: { onDiscover: () => void }) {
  return (
    <div className={messageClasses}>
      <h2 className="text-xl">No Bangers Yet</h2>
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="main" size="big" onClick={onDiscover}>
          Discover Music
        </Button>
        <Button onClick={() => openDialog('suggest')}>Suggest a song</Button>
        <Link href="/imports" className={buttonClasses({ variant: 'bare' })}>
          Bring your loves
        </Link>
      </div>
      <div
        aria-hidden="true"
        className="mt-6 grid w-full grid-cols-3 gap-x-3 gap-y-4 wide:grid-cols-[repeat(auto-fill,minmax(6rem,1fr))] wide:gap-3"
      >
        {placeholders.map((place) => (
          <span
            key={place}
            className="aspect-square rounded-[4px] border border-dashed border-line-strong opacity-55"
          />
        ))}
      </div>
    </div>
  )
}

const placeholders = Array.from({ length: 12 }, (_, i) => i)

/** Says that nothing is sent to other services yet (library-9). */
function ExportButton() {
  const announceComingSoon = () =>
    toast({
      title: 'Export Coming Soon',
      description:
        'Export to other services is not available yet. ‘Save as…’ beside it and ‘Your data’ have files that they accept.',
    })
  return (
    <HeadingButton icon={Download} onClick={announceComingSoon}>
      Export
    </HeadingButton>
  )
}
