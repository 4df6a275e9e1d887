import { useQueries, useQuery } from '@tanstack/react-query'
import { type Ref, useCallback, useMemo, useRef } from 'react'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import type { Rating } from '../../contract/shapes.ts'
import { callRange } from '../api/call.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { LongList } from '../ui/page/LongList.tsx'
import { PlaceholderRow, RatedRow } from './RatedRow.tsx'
import type { RatedSongs } from './ratedSongs.ts'

interface AllRatedSongsProps {
  type: Rating
  /** The loaded songs, and the total. */
  newestSongs: RatedSongs
  label: string
  failure: string
}

/** Pixels of a row whose title takes one line. */
const ROW_HEIGHT = 73

/** All bangers or busts. Only visible pages are requested (people-15). */
export function AllRatedSongs({ type, newestSongs, label, failure }: AllRatedSongsProps) {
  const { items, total } = newestSongs
  const indexes = useMemo(() => Array.from({ length: total }, (_, index) => index), [total])
  const hasFocused = useRef(false)
  /** The first song that is added takes over the focus of the button that added it. */
  const focusOnce = useCallback((button: HTMLButtonElement | null) => {
    if (!button || hasFocused.current) return
    hasFocused.current = true
    // Unless the listener has moved the focus.
    if (document.activeElement === document.body) button.focus({ preventScroll: true })
  }, [])
  return (
    <LongList
      label={label}
      items={indexes}
      keyOf={String}
      rowHeight={ROW_HEIGHT}
      row={(index) => {
        const loadedSong = items[index]
        return loadedSong ? (
          <RatedRow ratedSong={loadedSong} />
        ) : (
          <LazyRow
            ref={index === items.length ? focusOnce : undefined}
            type={type}
            index={index}
            firstPageStart={items.length}
          />
        )
      }}
    >
      {(rendered) => (
        <LoadFailures
          type={type}
          indexes={rendered.filter((index) => index >= items.length)}
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
  /** The button that plays the song. */
  ref: Ref<HTMLButtonElement> | undefined
}

/** A row whose page is requested once the row is visible. */
function LazyRow({ type, index, firstPageStart, ref }: LazyRowProps) {
  const page = pageQuery(type, index, firstPageStart)
  const { data } = useQuery(page)
  const ratedSong: RatedSong | undefined = data?.items[index - page.from]
  return ratedSong ? <RatedRow ref={ref} ratedSong={ratedSong} /> : <PlaceholderRow />
}

interface LoadFailuresProps {
  type: Rating
  indexes: readonly number[]
  firstPageStart: number
  message: string
}

/** Shown while visible rows have failed to load. */
function LoadFailures({ type, indexes, firstPageStart, message }: LoadFailuresProps) {
  const [first, last] = [indexes[0], indexes.at(-1)]
  const pages =
    first === undefined || last === undefined
      ? []
      : [pageQuery(type, first, firstPageStart), pageQuery(type, last, firstPageStart)]
  const failedQueries = useQueries({
    queries: pages.filter(({ from }, i) => i === 0 || from !== pages[0]?.from),
    combine: (all) => all.filter(({ isError, data }) => isError && !data),
  })
  if (failedQueries.length === 0) return null
  const retry = () => {
    for (const { refetch } of failedQueries) void refetch()
  }
  return (
    <div className="sticky bottom-0 z-1 bg-paper py-3">
      <LoadFailure onRetry={retry}>{message}</LoadFailure>
    </div>
  )
}

/** Songs per request. */
const PAGE_SIZE = 100

/** The query of the page that has this index. */
function pageQuery(type: Rating, index: number, firstPageStart: number) {
  const from = index - ((index - firstPageStart) % PAGE_SIZE)
  return {
    from,
    queryKey: [listRatings.path, { type, from }] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callRange(listRatings, { query: { type } }, { offset: from, limit: PAGE_SIZE }, { signal }),
  }
}
