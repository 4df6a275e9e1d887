import type { LibraryView } from './libraryView.ts'

/** 24 grey tiles, or rows, while the library loads, exactly where the first bangers come (library-5). */
export function SkeletonTiles({ layout }: { layout: LibraryView['layout'] }) {
  const isList = layout === 'list'
  return (
    <div role="status" aria-label="Loading your library">
      <div aria-hidden="true" className={isList ? undefined : 'library-grid'}>
        {placeholders.map((place) => (
          <div key={place} data-testid="skeleton-tile" className={isList ? 'library-row' : undefined}>
            <div className={isList ? 'size-12 bg-raised' : 'skeleton-sleeve'}>
              <div className="size-full rounded-art bg-raised" />
            </div>
            <div className={isList ? 'grid flex-1 gap-2' : 'tile-names gap-2'}>
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
