import type { ReactNode } from 'react'
import { LoadFailure } from '../ui/page/Loading.tsx'

/** Places per ranking (community-6). */
export const MAX_PLACES = 5

interface RankingProps<T> {
  title: string
  list: { data: readonly T[] | undefined; isError: boolean; refetch: () => unknown }
  empty: string
  failure: string
  row: (entry: T, place: number) => ReactNode
  /** Beside the title. */
  action?: ReactNode
}

/** The first five of a list, or why there are none. */
export function Ranking<T extends { id: string }>({
  title,
  list,
  empty,
  failure,
  row,
  action,
}: RankingProps<T>) {
  return (
    <section aria-label={title}>
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2>{title}</h2>
        {action}
      </div>
      {list.data ? (
        list.data.length > 0 ? (
          <ol>
            {list.data.slice(0, MAX_PLACES).map((entry, index) => (
              <li key={entry.id} className="border-b border-line">
                {row(entry, index + 1)}
              </li>
            ))}
          </ol>
        ) : (
          <p className="pt-2 text-base text-ink-2">{empty}</p>
        )
      ) : list.isError ? (
        <LoadFailure onRetry={list.refetch}>{failure}</LoadFailure>
      ) : (
        <LoadingRows />
      )}
    </section>
  )
}

/** The number of a place. */
export function PlaceNumber({ children }: { children: number }) {
  return (
    <span className="w-7 font-display text-[1.25rem]/none font-extrabold text-ink-3 font-stretch-75%">
      {children}
    </span>
  )
}

function LoadingRows() {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: MAX_PLACES }, (_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: five grey rows, always the same
          key={index}
          aria-hidden="true"
          className="flex min-h-16 items-center gap-3 border-b border-line"
        >
          <span className="h-5 w-3.5 rounded-art bg-raised" />
          <span className="size-12 rounded-art bg-raised" />
          <span className="h-4 w-1/2 rounded-art bg-raised" />
        </div>
      ))}
    </div>
  )
}
