import type { QueryClient } from '@tanstack/react-query'
import { listAchievementProgress, listAchievements } from '../../contract/achievements.ts'
import type { rateAndAdvance } from '../../contract/discovery.ts'
import type { Response } from '../../contract/endpoint.ts'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import { getMyStats } from '../../contract/profiles.ts'
import type { Rating, Song } from '../../contract/shapes.ts'
import { type QueryKey, query } from '../api/query.ts'
import { matchesTotals } from './applyRatingChanges.ts'
import { type CachedRatings, ratingsQuery } from './useBangers.ts'
import { invalidateQueries, invalidateRatings } from './useInvalidateRatings.ts'

/** When the newest rating that was noted was sent, by `performance.now()`: the server's clock may be set back. */
let newestSentAt = 0

/**
 * Puts what the answer to a rating tells where it is loaded, so that it is not requested. What the answer does not tell
 * is stale (library-8).
 */
export function applyRatingToCache(
  client: QueryClient,
  { song, rating, response, sentAt, dailyStatsKey }: RatingUpdate,
): void {
  const { totals, ratedAt } = response
  // An answer without totals tells nothing. A late one may be older than what is known.
  if (!totals || sentAt < newestSentAt) {
    invalidateRatings(client)
    return
  }
  newestSentAt = sentAt
  if (response.today)
    patchQuery<object>(client, dailyStatsKey, (cached) => ({ ...cached, ...response.today }))
  // It was not asked for, because it was not loaded then.
  else invalidateQueries(client, { queryKey: dailyStatsKey, exact: true })
  const statsKey = query(getMyStats).queryKey
  patchQuery<object>(client, statsKey, (cached) => ({ ...cached, ...totals }))
  // The favourite microgenre may be another one.
  void client.invalidateQueries({ queryKey: statsKey, refetchType: 'none' })
  const createdAt = new Date(ratedAt).toISOString()
  patchQuery<CachedRatings>(client, ratingsQuery.queryKey, (cached) =>
    prependRating({ id: song.id, rating, createdAt, song }, cached),
  )
  const cachedRatings = client.getQueryData<CachedRatings>(ratingsQuery.queryKey)
  // Another tab has rated, too.
  if (cachedRatings?.isComplete && !matchesTotals(cachedRatings.ratings, totals))
    invalidateQueries(client, { queryKey: ratingsQuery.queryKey, exact: true })
  for (const { path } of [listAchievements, listAchievementProgress])
    invalidateQueries(client, { queryKey: [path] })
  invalidateQueries(client, {
    queryKey: [listRatings.path],
    predicate: ({ queryKey }) => queryKey.length > 1,
  })
}

interface RatingUpdate {
  song: Song
  rating: Rating
  response: Response<typeof rateAndAdvance>
  /** `performance.now()` when the rating was sent. */
  sentAt: number
  dailyStatsKey: QueryKey
}

function patchQuery<Data>(client: QueryClient, queryKey: QueryKey, change: (cached: Data) => Data): void {
  const filter = { queryKey, exact: true }
  const state = client.getQueryState<Data>(queryKey)
  if (!state) return
  // A response that is under way may be older, and after a failure there is nothing to change.
  if (state.fetchStatus === 'fetching' || state.data === undefined) invalidateQueries(client, filter)
  else client.setQueryData<Data>(queryKey, (cached) => cached && change(cached))
}

const prependRating = (newRating: RatedSong, { ratings, ...cached }: CachedRatings): CachedRatings => ({
  ...cached,
  ratings: [newRating, ...ratings.filter(({ id }) => id !== newRating.id)],
})
