import { Suspense, useCallback } from 'react'
import type { RatedSong } from '../../contract/library.ts'
import { usePlayback } from '../playback/PlaybackProvider.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { LibraryTile } from './LibraryTile.tsx'
import { useRemoveFromLibrary } from './useRemoveFromLibrary.ts'

/** From this length on only tiles near the viewport are rendered. */
const MANY = 200

export const LongGrid = lazyPart(async () => (await import('./LongGrid.tsx')).LongGrid)

export const gridLook =
  'grid grid-cols-2 gap-x-3 gap-y-4 wide:grid-cols-[repeat(auto-fill,minmax(min(9.25rem,45%),1fr))] wide:gap-3'

export function LibraryGrid({ bangers }: { bangers: readonly RatedSong[] }) {
  const { select } = usePlayback()
  const { mutate: remove } = useRemoveFromLibrary()
  const play = useCallback((banger: RatedSong) => select(banger.song, { announce: true }), [select])
  const takeDown = useCallback(
    (banger: RatedSong) => remove(banger, { onSuccess: () => focusNeighbourOf(banger) }),
    [remove],
  )
  const tile = (banger: RatedSong) => <LibraryTile banger={banger} onPlay={play} onRemove={takeDown} />
  if (bangers.length > MANY) {
    return (
      <Suspense>
        <LongGrid bangers={bangers} tile={tile} />
      </Suspense>
    )
  }
  return (
    <ul className={gridLook} aria-label="Your bangers">
      {bangers.map((banger) => (
        <li key={banger.id} className="min-w-0">
          {tile(banger)}
        </li>
      ))}
    </ul>
  )
}

/** When the focused tile is removed, its neighbour gets the focus. */
function focusNeighbourOf(banger: RatedSong): void {
  const tile = document.activeElement?.closest(`[data-banger="${banger.id}"]`)?.closest('li')
  if (!tile) return
  const beside = tile.nextElementSibling ?? tile.previousElementSibling
  const target = beside?.querySelector('button') ?? document.getElementById('main')
  target?.focus()
}
