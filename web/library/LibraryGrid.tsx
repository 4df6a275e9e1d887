import { memo, Suspense, useCallback, useState } from 'react'
import { isolateName, songName } from '../../contract/isolateName.ts'
import type { RatedSong } from '../../contract/library.ts'
import { ElsewhereButton } from '../playback/ElsewhereButton.tsx'
import { usePlayback, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { PlayNextButton } from '../playback/PlayNextButton.tsx'
import { phaseOf } from '../playback/shownPlayback.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { focusPage } from '../ui/focusPage.ts'
import { formatDate } from '../ui/formatDate.ts'
import { Pause, Play, Trash2 } from '../ui/laterIcons.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import type { LibraryView } from './libraryView.ts'
import { SkeletonTiles } from './SkeletonTiles.tsx'
import { tileColor } from './tileColor.ts'
import { useRemoveFromLibrary } from './useRemoveFromLibrary.ts'

/** In a library of more bangers only tiles near the viewport are rendered. */
const VIRTUALIZATION_THRESHOLD = 200

export const VirtualGrid = lazyPart(async () => (await import('./LongGrid.tsx')).VirtualGrid)

interface LibraryGridProps {
  bangers: readonly RatedSong[]
  /** Of the library, however few are shown; infinite while unknown. */
  total: number
  layout: LibraryView['layout']
}

export function LibraryGrid({ bangers, total, layout }: LibraryGridProps) {
  const { select } = usePlayback()
  const remove = useRemoveFromLibrary()
  const play = useCallback((banger: RatedSong) => select(banger.song, { announce: true }), [select])
  const takeDown = useCallback(
    (banger: RatedSong) => {
      focusNeighbourOf(banger)
      remove(banger)
    },
    [remove],
  )
  // Another kind of list would load all pictures again.
  const [isLong, setLong] = useState(total > VIRTUALIZATION_THRESHOLD)
  if (!isLong && total > VIRTUALIZATION_THRESHOLD) setLong(true)
  const tile = useCallback(
    (banger: RatedSong) => <LibraryTile banger={banger} layout={layout} onPlay={play} onRemove={takeDown} />,
    [layout, play, takeDown],
  )
  if (isLong) {
    return (
      <Suspense fallback={<SkeletonTiles layout={layout} />}>
        <VirtualGrid bangers={bangers} layout={layout} renderTile={tile} />
      </Suspense>
    )
  }
  return (
    <ul className={layout === 'list' ? undefined : 'library-grid'} aria-label="Your bangers">
      {bangers.map((banger) => (
        <li key={banger.id} className="min-w-0">
          {tile(banger)}
        </li>
      ))}
    </ul>
  )
}

/** Before the focused tile disappears, its neighbour gets the focus. */
function focusNeighbourOf(banger: RatedSong): void {
  const tile = document.activeElement?.closest(`[data-banger="${banger.id}"]`)?.closest('li')
  if (!tile) return
  const beside = tile.nextElementSibling ?? tile.previousElementSibling
  const target = beside?.querySelector('button')
  if (target) target.focus()
  else focusPage()
}

interface LibraryTileProps {
  banger: RatedSong
  layout: LibraryView['layout']
  onPlay: (banger: RatedSong) => void
  onRemove: (banger: RatedSong) => void
}

/** A cover with the song's names below or beside it: plays or pauses the song, leads to it elsewhere, and can be removed. */
const LibraryTile = memo(function LibraryTile({ banger, layout, onPlay, onRemove }: LibraryTileProps) {
  const { song } = banger
  const playing = usePlaybackState((state) => phaseOf(state, song.id))
  return (
    <div data-banger={banger.id} className={layout === 'list' ? 'library-row' : 'group/tile relative'}>
      <button
        type="button"
        aria-label={`${songName(song)}, ${isolateName(song.microgenre)}`}
        aria-pressed={playing === 'playing'}
        onClick={() => onPlay(banger)}
        className={layout === 'list' ? 'library-row-play' : 'tile-play'}
        style={{ '--edge': tileColor(song.microgenre) }}
      >
        <span className="relative block aspect-square overflow-hidden">
          <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
          {playing && <PlaybackBadge state={playing} />}
        </span>
      </button>
      <TileNames banger={banger} layout={layout} />
      <PlayNextButton song={song} className={layout === 'list' ? 'library-row-action -mr-3' : 'tile-next'} />
      <button
        type="button"
        aria-label={`Remove from library: ${song.title}`}
        title="Remove from library"
        // The second click of a double click would remove the banger that moved here.
        onClick={({ detail }) => detail < 2 && onRemove(banger)}
        className={layout === 'list' ? 'library-row-action' : 'tile-action top-(--upper)'}
      >
        <Trash2 />
      </button>
      <ElsewhereButton
        song={song}
        isInList
        className={layout === 'list' ? 'library-row-action -ml-3' : 'tile-action top-(--lower)'}
      />
    </div>
  )
})

/** Title, artist and microgenre, always visible (library-3). The button's label says the same to screen readers. */
function TileNames({ banger: { song, createdAt }, layout }: Pick<LibraryTileProps, 'banger' | 'layout'>) {
  const { title, artist, microgenre, color } = song
  const genre = (
    <span dir="auto" data-genre="" style={{ '--genre': color }} className="truncate text-left text-accent">
      {microgenre}
    </span>
  )
  if (layout === 'list') {
    return (
      <span aria-hidden="true" className="library-row-names">
        <b
          dir="auto"
          className={`text-left font-semibold ${title.length > 34 ? 'line-clamp-2 text-xs/4' : 'truncate'}`}
        >
          {title}
        </b>
        <span className="library-row-artist">
          <span dir="auto" className="truncate text-left">
            {artist}
          </span>
          {genre}
        </span>
        <span className="library-row-date">{formatDate(createdAt)}</span>
      </span>
    )
  }
  const size = title.length <= 22 ? 'short' : title.length <= 44 ? 'long' : 'longest'
  return (
    <span aria-hidden="true" className="tile-names">
      <b dir="auto" className={`text-left ${titleLooks[size]}`}>
        {title}
      </b>
      <span dir="auto" className={`text-left text-ink-2 ${size === 'short' ? 'line-clamp-2' : 'truncate'}`}>
        {artist}
      </span>
      {genre}
    </span>
  )
}

const titleLooks = {
  short: 'line-clamp-2 text-sm/5 font-semibold',
  long: 'line-clamp-3 font-semibold',
  longest: 'line-clamp-3 font-display font-semibold [font-stretch:70%]',
}

function PlaybackBadge({ state }: { state: string }) {
  const Icon = state === 'playing' ? Pause : Play
  return (
    <span className="playing-mark">
      {state === 'loading' ? (
        <Spinner className="size-5" />
      ) : (
        <Icon className="size-5 fill-current" strokeWidth={1} />
      )}
    </span>
  )
}
