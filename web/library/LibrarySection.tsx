import { useEffect, useState } from 'react'
import type { RatedSong } from '../../contract/library.ts'
import { ShareCollectionButton } from '../collections/ShareCollectionButton.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyLibrary } from './EmptyLibrary.tsx'
import { ExportButton } from './ExportButton.tsx'
import { GenreFilter } from './GenreFilter.tsx'
import { LibraryGrid, LongGrid } from './LibraryGrid.tsx'
import { libraryGenres } from './libraryGenres.ts'
import { SkeletonTiles } from './SkeletonTiles.tsx'
import { useBangers } from './useBangers.ts'

/** My Library: the bangers as a grid of covers, by microgenre. */
export function LibrarySection({ onDiscover }: { onDiscover: () => void }) {
  const { data, isError, refetch } = useBangers()
  if (data && data.length > 0) return <FullLibrary bangers={data} />
  if (!data && !isError) return <LoadingLibrary />
  return (
    <div className={page}>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 wide:pr-(--frame-w)">
        <h1>My Library</h1>
        {data && (
          <div className="ml-auto flex flex-row-reverse flex-wrap items-center gap-3">
            <ShareCollectionButton genres={[]} />
          </div>
        )}
      </div>
      <div className="mt-6 border-t border-line pt-8 wide:pr-(--frame-w)">
        {data ? <EmptyLibrary onDiscover={onDiscover} /> : <Failure onRetry={() => void refetch()} />}
      </div>
    </div>
  )
}

function FullLibrary({ bangers }: { bangers: RatedSong[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const genres = libraryGenres(bangers)
  // The chosen microgenre may have lost its last banger.
  const genre = genres.find(({ id }) => id === chosen)?.id ?? null
  const shown = genre === null ? bangers : bangers.filter(({ song }) => song.microgenreId === genre)
  return (
    <div className={`${page} ${railed}`}>
      <div className={head}>
        <h1>My Library</h1>
        <div className="flex gap-2 wide:flex-wrap">
          <ShareCollectionButton genres={genres} />
          <ExportButton />
        </div>
      </div>
      <GenreFilter genres={genres} total={bangers.length} chosen={genre} onChoose={setChosen} />
      <LibraryGrid bangers={shown} />
    </div>
  )
}

/** The layout of the library, in grey. */
function LoadingLibrary() {
  // A slow list is a long one: preload the virtual grid meanwhile.
  useEffect(() => void LongGrid.preload(), [])
  return (
    <div className={`${page} ${railed}`}>
      <div className={head}>
        <h1>My Library</h1>
      </div>
      <div className="mb-4 h-12 wide:hidden" />
      <SkeletonTiles />
    </div>
  )
}

function Failure({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="grid justify-items-start gap-4">
      <p role="alert" className="text-base text-ink-2">
        Your library did not load. Check your connection and try again.
      </p>
      <Button variant="main" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

const page = 'px-4 pt-[calc(var(--frame-h)+1rem)] pb-[calc(var(--nav-h)+5rem)] wide:px-6 wide:pb-30'
/** The grid on the left, the filter above the video on the right; one column on a phone. */
const railed = 'grid-cols-[minmax(0,1fr)_var(--dock-w)] content-start gap-x-6 wide:grid roomy:gap-x-10'
const head = 'mb-4 flex min-h-(--size-touch) items-center justify-between gap-3 wide:mb-6 wide:flex-wrap'
