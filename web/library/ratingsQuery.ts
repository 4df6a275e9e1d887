import { type QueryClient, type QueryFunctionContext, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { create } from 'zustand'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { listRatingChanges, listRatings, type RatedSong, type RatingChanges } from '../../contract/library.ts'
import { getMyStats } from '../../contract/profiles.ts'
import { call, callRange } from '../api/call.ts'
import { query } from '../api/query.ts'

const MINUTE = 60_000

/** After an hour the whole list is requested again, because titles and videos of songs may have changed. */
const MAX_CACHE_AGE = 60 * MINUTE

/** The first request asks for these; a longer list needs a second one (library-15). */
const FIRST_PAGE_SIZE = 200

export interface CachedRatings {
  /** Newest first. */
  ratings: readonly RatedSong[]
  /** False while only the first page has arrived. */
  isComplete: boolean
  /** `performance.now()` when the whole list was requested. */
  loadedAt?: number
}

/** All ratings of the listener. */
export const ratingsQuery = {
  queryKey: query(listRatings).queryKey,
  queryFn: loadRatings,
  staleTime: ({ state }: { state: { data: CachedRatings | undefined } }) =>
    state.data?.isComplete === false ? 0 : 5 * MINUTE,
  gcTime: 30 * MINUTE,
  // A new rating moves all others, so comparing them would find nothing.
  structuralSharing: false,
}

/** Bangers that are hidden until the server has removed them (library-14). */
export const usePendingRemovals = create<readonly PendingRemoval[]>(() => [])

export interface PendingRemoval {
  banger: RatedSong
  /** A removal that was sent cannot be undone. */
  isSent: boolean
}

/** Drops the removal of a song that was rated again, so that it shows again. */
export function cancelRemoval(songId: string): void {
  const removals = usePendingRemovals.getState()
  const others = removals.filter(({ banger }) => banger.song.id !== songId)
  if (others.length < removals.length) usePendingRemovals.setState(others, true)
}

/** The listener's bangers, newest first, filtered from all ratings (library-1), without pending removals. */
export function useBangers() {
  const { data, isError, refetch } = useQuery(ratingsQuery)
  const removals = usePendingRemovals()
  const bangers = useMemo(() => {
    const hiddenIds = new Set(removals.map(({ banger }) => banger.id))
    return data?.ratings.filter(({ id, rating }) => rating === 'banger' && !hiddenIds.has(id))
  }, [data, removals])
  return { bangers, isComplete: data?.isComplete === true, isError, refetch }
}

/** Requests the ratings while the library's code still loads. */
export function usePrefetchBangers(enabled: boolean): void {
  const queryClient = useQueryClient()
  if (enabled && !queryClient.getQueryState(ratingsQuery.queryKey))
    void queryClient.prefetchQuery(ratingsQuery)
}

/** A cached list is updated with the changes since its newest rating (library-17). */
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

/** The counts in the HTML may be older: a removal that the previous page sent was still under way. */
function invalidateStaleStats(client: QueryClient, ratings: number): void {
  const { queryKey } = query(getMyStats)
  const stats = client.getQueryData<ResponseOf<typeof getMyStats>>(queryKey)
  if (stats && stats.totalRatings !== ratings) void client.invalidateQueries({ queryKey })
}

/** A list of ratings, newest first, with its changes applied (library-17). */
export function applyRatingChanges(
  cachedRatings: readonly RatedSong[],
  { ratings, removed }: Pick<RatingChanges, 'ratings' | 'removed'>,
): RatedSong[] {
  const changed = new Set([...removed, ...ratings.map(({ id }) => id)])
  const merged = ratings.concat(cachedRatings.filter(({ id }) => !changed.has(id)))
  // A rating that Undo restored keeps its old date.
  return merged.sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0))
}

/** Whether the list is as long as the listener's counters say. */
export const matchesTotals = (
  ratings: readonly RatedSong[],
  { totalBangers, totalRatings }: Pick<RatingChanges, 'totalBangers' | 'totalRatings'>,
): boolean =>
  ratings.length === totalRatings &&
  ratings.filter(({ rating }) => rating === 'banger').length === totalBangers
