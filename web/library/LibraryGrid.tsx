import { memo, Suspense, useCallback, useState } from 'react'
import { isolateName, songName } from '../../contract/isolateName.ts'
import type { RatedSong } from '../../contract/library.ts'
import { ElsewhereButton } from '../playback/ElsewhereButton.tsx'
import { usePlayback, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { getSongPhase, type Phase } from '../playback/playbackState.ts'
import { PlayNextButton } from '../playback/QueueButtons.tsx'
import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { Check } from '../ui/icons.tsx'
import { focusPage } from '../ui/keyboard/openDialogs.ts'
import { Pause, Play, Trash2 } from '../ui/laterIcons.ts'
import { Spinner } from '../ui/page/Loading.tsx'
import { lazyComponent } from '../ui/page/lazyComponent.tsx'
import { type LibraryView, toggleSelected, useSelection } from './libraryView.ts'
import { useRemoveFromLibrary } from './useRemoveFromLibrary.ts'

/** A library of more bangers renders only the tiles near the viewport. */
const VIRTUALIZATION_THRESHOLD = 200

const VirtualGrid = lazyComponent(async () => (await import('./VirtualGrid.tsx')).VirtualGrid)
const preloadVirtualGrid = () => void VirtualGrid.preload()

interface LibraryGridProps {
  bangers: readonly RatedSong[]
  /** All bangers of the library; infinite while unknown. */
  total: number
  layout: LibraryView['layout']
}

export function LibraryGrid({ bangers, total, layout }: LibraryGridProps) {
  const { select } = usePlayback()
  const removeFromLibrary = useRemoveFromLibrary()
  const playOrSelect = useCallback(
    (banger: RatedSong) =>
      useSelection.getState() ? toggleSelected(banger.id) : select(banger.song, { announce: true }),
    [select],
  )
  const removeAndMoveFocus = useCallback(
    (banger: RatedSong) => {
      focusNeighbour(banger)
      removeFromLibrary(banger)
    },
    [removeFromLibrary],
  )
  // It stays virtual, because another kind of list would load all pictures again.
  const [isVirtual, setVirtual] = useState(total > VIRTUALIZATION_THRESHOLD)
  if (!isVirtual && total > VIRTUALIZATION_THRESHOLD) setVirtual(true)
  const renderTile = useCallback(
    (banger: RatedSong) => (
      <LibraryTile banger={banger} layout={layout} onPlay={playOrSelect} onRemove={removeAndMoveFocus} />
    ),
    [layout, playOrSelect, removeAndMoveFocus],
  )
  if (isVirtual) {
    return (
      <Suspense fallback={<SkeletonTiles layout={layout} />}>
        <VirtualGrid bangers={bangers} layout={layout} renderTile={renderTile} />
      </Suspense>
    )
  }
  return (
    <ul className={layout === 'list' ? undefined : gridClasses} aria-label="Your bangers">
      {bangers.map((banger) => (
        <li key={banger.id} className="min-w-0">
          {renderTile(banger)}
        </li>
      ))}
    </ul>
  )
}

/** Before the focused tile disappears, its neighbour gets the focus. */
function focusNeighbour(banger: RatedSong): void {
  const tile = document.activeElement?.closest(`[data-banger="${banger.id}"]`)?.closest('li')
  if (!tile) return
  const neighbour = tile.nextElementSibling ?? tile.previousElementSibling
  const target = neighbour?.querySelector('button')
  if (target) target.focus()
  else focusPage()
}

interface LibraryTileProps {
  banger: RatedSong
  layout: LibraryView['layout']
  onPlay: (banger: RatedSong) => void
  onRemove: (banger: RatedSong) => void
}

/** A cover that plays and pauses, the song's names below or beside it, and buttons. */
const LibraryTile = memo(function LibraryTile({ banger, layout, onPlay, onRemove }: LibraryTileProps) {
  const { song } = banger
  const phase = usePlaybackState((state) => getSongPhase(state, song.id))
  /** Undefined while none can be selected. */
  const isSelected = useSelection((selection) => selection?.has(banger.id))
  const classes = layoutClasses[layout]
  return (
    <div data-banger={banger.id} data-genre="" style={{ '--genre': song.color }} className={classes.tile}>
      <button
        type="button"
        aria-label={`${songName(song)}, ${isolateName(song.microgenre)}`}
        aria-pressed={isSelected ?? phase === 'playing'}
        onClick={() => onPlay(banger)}
        className={`border-accent after:absolute after:inset-0 ${classes.play}`}
      >
        <span className="relative block aspect-square overflow-hidden">
          <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
          {isSelected && <SelectedBadge />}
          {isSelected === undefined && phase && <PlaybackBadge phase={phase} />}
        </span>
      </button>
      <TileNames banger={banger} layout={layout} />
      <PlayNextButton song={song} className={`${actionClasses} ${classes.next}`} />
      <button
        type="button"
        aria-label={`Remove from library: ${song.title}`}
        title="Remove from library"
        // The second click of a double click would remove the next banger, which moved here.
        onClick={({ detail }) => detail < 2 && onRemove(banger)}
        className={`${actionClasses} ${classes.remove}`}
      >
        <Trash2 />
      </button>
      <ElsewhereButton song={song} isInList className={`${actionClasses} ${classes.elsewhere}`} />
    </div>
  )
})

const gridClasses = 'grid grid-cols-2 gap-3 wide:grid-cols-[repeat(auto-fill,minmax(min(9.25rem,45%),1fr))]'
const rowClasses = 'relative flex h-16 items-center gap-3 border-b border-line hover:bg-surface'
const sleeveClasses = 'rounded-[4px] border-3 p-[3px]'
/** Of one height for every song, which VirtualGrid also knows, and clear of the buttons. */
const namesClasses =
  'grid h-22 content-start overflow-hidden pt-1.5 text-xs/4 wrap-anywhere max-wide:pr-11 [@media(hover:none)]:pr-11'
const actionClasses = 'z-1 grid size-(--size-touch) place-items-center text-ink-2 hover:text-ink'

const layoutClasses = {
  grid: {
    tile: 'relative',
    play: `block w-full ${sleeveClasses}`,
    next: 'tile-action absolute right-1.5 bottom-23 bg-paper',
    remove: 'tile-action absolute top-(--upper) right-0',
    elsewhere: 'tile-action absolute top-(--lower) right-0',
  },
  list: {
    tile: rowClasses,
    play: 'w-[3.1875rem] flex-none border-l-3',
    next: 'relative -mr-3 flex-none',
    remove: 'relative flex-none',
    elsewhere: 'relative -ml-3 flex-none',
  },
}

/** Title, artist and microgenre (library-3). The play button's label says the same to screen readers. */
function TileNames({ banger: { song, createdAt }, layout }: Pick<LibraryTileProps, 'banger' | 'layout'>) {
  const { title, artist, microgenre } = song
  const genre = (
    <span dir="auto" className="truncate text-left text-accent">
      {microgenre}
    </span>
  )
  if (layout === 'list') {
    return (
      <span
        aria-hidden="true"
        className="grid min-w-0 flex-1 text-xs wide:auto-cols-[6rem] wide:grid-flow-col wide:grid-cols-[2fr_1.3fr_1fr] wide:items-center wide:gap-x-4 wide:text-sm"
      >
        <b
          dir="auto"
          className={`text-left font-semibold ${title.length > 34 ? 'line-clamp-2 text-xs/4' : 'truncate'}`}
        >
          {title}
        </b>
        <span className="flex min-w-0 gap-x-2 text-ink-2 wide:contents">
          <span dir="auto" className="truncate text-left">
            {artist}
          </span>
          {genre}
        </span>
        <span className="hidden text-xs whitespace-nowrap text-ink-2 tabular-nums roomy:block">
          {formatDate(createdAt)}
        </span>
      </span>
    )
  }
  const size = title.length <= 22 ? 'short' : title.length <= 44 ? 'long' : 'longest'
  return (
    <span aria-hidden="true" className={namesClasses}>
      <b dir="auto" className={`text-left ${titleClasses[size]}`}>
        {title}
      </b>
      <span dir="auto" className={`text-left text-ink-2 ${size === 'short' ? 'line-clamp-2' : 'truncate'}`}>
        {artist}
      </span>
      {genre}
    </span>
  )
}

const titleClasses = {
  short: 'line-clamp-2 text-sm/5 font-semibold',
  long: 'line-clamp-3 font-semibold',
  longest: 'line-clamp-3 font-display font-semibold [font-stretch:70%]',
}

const SelectedBadge = () => (
  <span className="absolute bottom-0 left-0 grid size-(--size-touch) place-items-center bg-ink text-paper">
    <Check />
  </span>
)

function PlaybackBadge({ phase }: { phase: Phase }) {
  const Icon = phase === 'playing' ? Pause : Play
  return (
    <span className="absolute bottom-0 left-0 grid size-(--size-touch) place-items-center bg-paper">
      {phase === 'loading' ? (
        <Spinner className="size-5" />
      ) : (
        <Icon className="size-5 fill-current" strokeWidth={1} />
      )}
    </span>
  )
}

/**
 * 24 grey tiles or rows in the places of the first bangers, while the library loads (library-5). A library that loads
 * slowly is a long one, and will need the virtual grid.
 */
export function SkeletonTiles({ layout }: { layout: LibraryView['layout'] }) {
  const isList = layout === 'list'
  return (
    <div ref={preloadVirtualGrid} role="status" aria-label="Loading your library">
      <div aria-hidden="true" className={isList ? undefined : gridClasses}>
        {placeholders.map((place) => (
          <div key={place} data-testid="skeleton-tile" className={isList ? rowClasses : undefined}>
            <div className={isList ? 'size-12 bg-raised' : `aspect-square border-raised ${sleeveClasses}`}>
              <div className="size-full rounded-art bg-raised" />
            </div>
            <div className={isList ? 'grid flex-1 gap-2' : `${namesClasses} gap-2`}>
              <div className="mt-1 h-3 w-3/5 rounded-art bg-raised" />
              <div className="h-3 w-2/5 rounded-art bg-raised" />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}

const placeholders = Array.from({ length: 24 }, (_, i) => i)
