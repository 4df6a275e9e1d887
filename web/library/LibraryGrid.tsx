import { Suspense, useCallback, useState } from 'react'
import type { RatedSong } from '../../contract/library.ts'
import { usePlayback } from '../playback/PlaybackProvider.tsx'
import { focusPage } from '../ui/focusPage.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { LibraryTile } from './LibraryTile.tsx'
import type { LibraryView } from './libraryView.ts'
import { SkeletonTiles } from './SkeletonTiles.tsx'
import { useRemoveFromLibrary } from './useRemoveFromLibrary.ts'

/** In a library of more bangers only tiles near the viewport are rendered. */
const MANY = 200

export const LongGrid = lazyPart(async () => (await import('./LongGrid.tsx')).LongGrid)

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
  const [isLong, setLong] = useState(total > MANY)
  if (!isLong && total > MANY) setLong(true)
  const tile = useCallback(
    (banger: RatedSong) => <LibraryTile banger={banger} layout={layout} onPlay={play} onRemove={takeDown} />,
    [layout, play, takeDown],
  )
  if (isLong) {
    return (
      <Suspense fallback={<SkeletonTiles layout={layout} />}>
        <LongGrid bangers={bangers} layout={layout} tile={tile} />
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
