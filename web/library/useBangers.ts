import { type QueryClient, type QueryFunctionContext, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Response } from '../../contract/endpoint.ts'
import { listRatingChanges, listRatings, type RatedSong } from '../../contract/library.ts'
import { getMyStats } from '../../contract/profiles.ts'
import { call, callRange } from '../api/call.ts'
import { prefetch, query } from '../api/query.ts'
import { applyRatingChanges, matchesTotals } from './applyRatingChanges.ts'
import { usePendingRemovals } from './pendingRemovals.ts'

const MINUTE = 60_000

/** Ratings of the first request; longer lists need a second one (library-15). */
const FIRST_PAGE_SIZE = 200

export interface CachedRatings {
  /** Newest first. */
  ratings: readonly RatedSong[]
  /** False while only the first ones have arrived. */
  isComplete: boolean
  /** `performance.now()` when it was loaded as a whole. */
  loadedAt?: number
}

/** After an hour the list is loaded again, because songs may have got another title or video. */
const MAX_CACHE_AGE = 60 * MINUTE

/** All ratings, with the library's cache times. */
export const ratingsQuery = {
  queryKey: query(listRatings).queryKey,
  queryFn: loadRatings,
  staleTime: ({ state }: { state: { data: CachedRatings | undefined } }) =>
    state.data?.isComplete === false ? 0 : 5 * MINUTE,
  gcTime: 30 * MINUTE,
  // A new rating moves all others, so comparing them would find nothing.
  structuralSharing: false,
}

/** A list that is known is completed with what has changed since its newest rating (library-17). */
async function loadRatings({ client, queryKey, signal }: QueryFunctionContext): Promise<CachedRatings> {
  const cached = client.getQueryData<CachedRatings>(queryKey)
  const newestRating = cached?.ratings[0]
  if (cached?.isComplete && newestRating && performance.now() - (cached.loadedAt ?? 0) < MAX_CACHE_AGE) {
    const changes = await call(listRatingChanges, { query: { since: newestRating.createdAt } }, { signal })
    if (changes) {
      const ratings = applyRatingChanges(cached.ratings, changes)
      if (matchesTotals(ratings, changes)) return { ...cached, ratings }
    }
  }
  const loadedAt = performance.now()
  if (!cached) {
    const { items, total } = await callRange(listRatings, {}, { limit: FIRST_PAGE_SIZE }, { signal })
    invalidateStaleStats(client, total)
    const isComplete = items.length >= total
    if (isComplete) return { ratings: items, isComplete, loadedAt }
    client.setQueryData<CachedRatings>(queryKey, { ratings: items, isComplete })
  }
  return { ratings: await call(listRatings, {}, { signal }), isComplete: true, loadedAt }
}

/** The figures may be older than the list: the HTML brings them while a removal of the page before is on its way. */
function invalidateStaleStats(client: QueryClient, ratings: number): void {
  const { queryKey } = query(getMyStats)
  const stats = client.getQueryData<Response<typeof getMyStats>>(queryKey)
  if (stats && stats.totalRatings !== ratings) void client.invalidateQueries({ queryKey })
}

/** The listener's bangers, newest first, filtered from all ratings (library-1), without those just removed. */
export function useBangers() {
  const { data, isError, refetch } = useQuery(ratingsQuery)
  const pending = usePendingRemovals()
  const bangers = useMemo(() => {
    const hiddenIds = new Set(pending.map(({ banger }) => banger.id))
    return data?.ratings.filter(({ id, rating }) => rating === 'banger' && !hiddenIds.has(id))
  }, [data, pending])
  return { bangers, isComplete: data?.isComplete === true, isError, refetch }
}

/** Loads the ratings while the library's code still loads. */
export function usePreloadBangers(enabled: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (enabled) prefetch(queryClient, ratingsQuery)
  }, [enabled, queryClient])
}
