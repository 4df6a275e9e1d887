import type { QueryClient, QueryFilters } from '@tanstack/react-query'
import { listAchievementProgress, listAchievements } from '../../contract/achievements.ts'
import type { rateAndAdvance } from '../../contract/discovery.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import { getDailyStats, getMyStats } from '../../contract/profiles.ts'
import type { Rating, Song } from '../../contract/shapes.ts'
import { type QueryKey, query } from '../api/query.ts'
import { type CachedRatings, matchesTotals, ratingsQuery } from './ratingsQuery.ts'

/** `performance.now()` when the newest applied rating was sent: the server's clock may be set back. */
let newestSentAt = 0

/** Writes a rating's response into the query caches, and invalidates what the response does not contain (library-8). */
export function applyRatingToCache(
  queryClient: QueryClient,
  { song, rating, response, sentAt, dailyStatsKey }: RatingUpdate,
): void {
  const { totals, ratedAt } = response
  // A late response may be older than the cache.
  if (!totals || sentAt < newestSentAt) {
    invalidateRatings(queryClient)
    return
  }
  newestSentAt = sentAt
  if (response.today)
    patchQuery<object>(queryClient, dailyStatsKey, (cached) => ({ ...cached, ...response.today }))
  // The day was not cached when the rating was sent, so the response has no counts of it.
  else invalidateQueries(queryClient, { queryKey: dailyStatsKey, exact: true })
  const statsKey = query(getMyStats).queryKey
  patchQuery<object>(queryClient, statsKey, (cached) => ({ ...cached, ...totals }))
  // The favourite microgenre may have changed.
  void queryClient.invalidateQueries({ queryKey: statsKey, refetchType: 'none' })
  const createdAt = new Date(ratedAt).toISOString()
  patchQuery<CachedRatings>(queryClient, ratingsQuery.queryKey, (cached) =>
    prependRating({ id: song.id, rating, createdAt, song }, cached),
  )
  const cachedRatings = queryClient.getQueryData<CachedRatings>(ratingsQuery.queryKey)
  // Another tab has also rated.
  if (cachedRatings?.isComplete && !matchesTotals(cachedRatings.ratings, totals))
    invalidateQueries(queryClient, { queryKey: ratingsQuery.queryKey, exact: true })
  for (const { path } of [listAchievements, listAchievementProgress])
    invalidateQueries(queryClient, { queryKey: [path] })
  invalidateQueries(queryClient, {
    queryKey: [listRatings.path],
    predicate: ({ queryKey }) => queryKey.length > 1,
  })
}

interface RatingUpdate {
  song: Song
  rating: Rating
  response: ResponseOf<typeof rateAndAdvance>
  /** `performance.now()` when the rating was sent. */
  sentAt: number
  dailyStatsKey: QueryKey
}

function patchQuery<Data>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  change: (cached: Data) => Data,
): void {
  const filter = { queryKey, exact: true }
  const state = queryClient.getQueryState<Data>(queryKey)
  if (!state) return
  // A response under way may be older, and after a failure there is nothing to change.
  if (state.fetchStatus === 'fetching' || state.data === undefined) invalidateQueries(queryClient, filter)
  else queryClient.setQueryData<Data>(queryKey, (cached) => cached && change(cached))
}

const prependRating = (newRating: RatedSong, { ratings, ...cached }: CachedRatings): CachedRatings => ({
  ...cached,
  ratings: [newRating, ...ratings.filter(({ id }) => id !== newRating.id)],
})

/** Invalidates all counts and lists of ratings, after one was removed or may have been stored (library-8). */
export function invalidateRatings(queryClient: QueryClient): void {
  for (const { path } of RATING_ENDPOINTS) invalidateQueries(queryClient, { queryKey: [path] })
}

const RATING_ENDPOINTS = [listRatings, getMyStats, getDailyStats, listAchievements, listAchievementProgress]

/**
 * Invalidates queries, also those under way without data or without a component, which TanStack Query does not repeat:
 * their response may be older, so it becomes stale when it arrives.
 */
function invalidateQueries(queryClient: QueryClient, filter: QueryFilters): void {
  const loadingQueries = queryClient.getQueryCache().findAll({ ...filter, fetchStatus: 'fetching' })
  for (const query of loadingQueries) {
    if (query.state.data !== undefined && query.isActive()) continue
    const invalidateAgain = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
    query.promise?.then(invalidateAgain, () => {})
  }
  void queryClient.invalidateQueries(filter)
}
