import { useQueries, useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import type { Rating } from '../../contract/shapes.ts'
import { callPart } from '../api/call.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { LongList } from '../ui/LongList.tsx'
import { RatedRow } from './RatedRow.tsx'
import type { RatedSongs } from './ratedSongs.ts'

interface AllRatedSongsProps {
  type: Rating
  /** The songs that are known, and how many there are. */
  newestSongs: RatedSongs
  label: string
  failure: string
}

/** A row with titles of one line, in px. */
const ROW_HEIGHT = 73

/** All bangers or busts. Only the pages in sight are requested (people-15). */
export function AllRatedSongs({ type, newestSongs: newest, label, failure }: AllRatedSongsProps) {
  const { items, total } = newest
  const places = useMemo(() => Array.from({ length: total }, (_, place) => place), [total])
  /** The first song that was not there before gets the focus that its button had. */
  const focusOn = useRef<number | null>(items.length)
  return (
    <LongList
      label={label}
      items={places}
      keyOf={String}
      rowHeight={ROW_HEIGHT}
      row={(place) => {
        const known = items[place]
        return known ? (
          <RatedRow rated={known} />
        ) : (
          <LazyRow type={type} index={place} firstPageStart={items.length} focusIndex={focusOn} />
        )
      }}
    >
      {(rendered) => (
        <LoadFailures
          type={type}
          indexes={rendered.filter((place) => place >= items.length)}
          firstPageStart={items.length}
          message={failure}
        />
      )}
    </LongList>
  )
}

interface LazyRowProps {
  type: Rating
  index: number
  /** How many songs come before the first page. */
  firstPageStart: number
  focusIndex: RefObject<number | null>
}

/** A row of a page that is loaded once it is in sight. */
function LazyRow({ type, index: place, firstPageStart: skipped, focusIndex: focusOn }: LazyRowProps) {
  const page = pageAt(type, place, skipped)
  const { data } = useQuery(page)
  const rated: RatedSong | undefined = data?.items[place - page.from]
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!rated || focusOn.current !== place) return
    focusOn.current = null
    // Unless the listener went elsewhere meanwhile.
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
  }, [rated, place, focusOn])
  return rated ? <RatedRow ref={button} rated={rated} /> : <PlaceholderRow />
}

function PlaceholderRow() {
  return (
    <div aria-hidden="true" className="rated-row">
      <span className="block size-14 rounded-art bg-raised" />
      <span className="h-4 w-1/2 rounded-art bg-raised" />
    </div>
  )
}

interface LoadFailuresProps {
  type: Rating
  indexes: readonly number[]
  firstPageStart: number
  message: string
}

/** Stays in sight while rows in sight could not be loaded. */
function LoadFailures({ type, indexes: places, firstPageStart: skipped, message: words }: LoadFailuresProps) {
  const [first, last] = [places[0], places.at(-1)]
  const pages =
    first === undefined || last === undefined
      ? []
      : [pageAt(type, first, skipped), pageAt(type, last, skipped)]
  const failed = useQueries({
    queries: pages.filter(({ from }, i) => i === 0 || from !== pages[0]?.from),
    combine: (all) => all.filter(({ isError, data }) => isError && !data),
  })
  if (failed.length === 0) return null
  const retry = () => {
    for (const { refetch } of failed) void refetch()
  }
  return (
    <div className="rated-failure">
      <LoadFailure onRetry={retry}>{words}</LoadFailure>
    </div>
  )
}

/** Songs per request. */
const PAGE_SIZE = 100

/** The query of the page with the song at a place of the list. The first page comes after `skipped` songs. */
function pageAt(type: Rating, place: number, skipped: number) {
  const from = place - ((place - skipped) % PAGE_SIZE)
  return {
    from,
    queryKey: [listRatings.path, { type, from }] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callPart(listRatings, { query: { type } }, { offset: from, limit: PAGE_SIZE }, { signal }),
  }
}
