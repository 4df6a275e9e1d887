import { gridLook } from './LibraryGrid.tsx'

/** 24 grey tiles while the library loads (library-5). */
export function SkeletonTiles() {
  return (
    <div role="status" aria-label="Loading your library">
      <div aria-hidden="true" className={gridLook}>
        {places.map((place) => (
          <div
            key={place}
            data-testid="skeleton-tile"
            className="aspect-square rounded-[4px] border-3 border-raised p-[3px]"
          >
            <div className="size-full rounded-art bg-raised" />
          </div>
        ))}
      </div>
    </div>
  )
}

const places = Array.from({ length: 24 }, (_, i) => i)
