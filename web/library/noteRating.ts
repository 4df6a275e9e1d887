import type { QueryClient } from '@tanstack/react-query'
import { listAchievementProgress, listAchievements } from '../../contract/achievements.ts'
import type { rateAndAdvance } from '../../contract/discovery.ts'
import type { Response } from '../../contract/endpoint.ts'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import { getMyStats } from '../../contract/profiles.ts'
import type { Rating, Song } from '../../contract/shapes.ts'
import { type QueryKey, query } from '../api/query.ts'
import { isWhole } from './applyChanges.ts'
import { type CachedRatings, ratingsQuery } from './useBangers.ts'
import { invalidate, invalidateRatings } from './useInvalidateRatings.ts'

/** When the newest rating that was noted was sent, by `performance.now()`: the server's clock may be set back. */
let newest = 0

/**
 * Puts what the answer to a rating tells where it is loaded, so that it is not requested. What the answer does not tell
 * is stale (library-8).
 */
export function noteRating(
  client: QueryClient,
  { song, rating, response: answer, sentAt, dailyStatsKey: today }: RatingUpdate,
): void {
  const { totals, ratedAt } = answer
  // An answer without totals tells nothing. A late one may be older than what is known.
  if (!totals || sentAt < newest) {
    invalidateRatings(client)
    return
  }
  newest = sentAt
  if (answer.today) patch<object>(client, today, (known) => ({ ...known, ...answer.today }))
  // It was not asked for, because it was not loaded then.
  else invalidate(client, { queryKey: today, exact: true })
  const stats = query(getMyStats).queryKey
  patch<object>(client, stats, (known) => ({ ...known, ...totals }))
  // The favourite microgenre may be another one.
  void client.invalidateQueries({ queryKey: stats, refetchType: 'none' })
  const createdAt = new Date(ratedAt).toISOString()
  patch<CachedRatings>(client, ratingsQuery.queryKey, (known) =>
    putFirst({ id: song.id, rating, createdAt, song }, known),
  )
  const all = client.getQueryData<CachedRatings>(ratingsQuery.queryKey)
  // Another tab has rated, too.
  if (all?.isComplete && !isWhole(all.ratings, totals))
    invalidate(client, { queryKey: ratingsQuery.queryKey, exact: true })
  for (const { path } of [listAchievements, listAchievementProgress]) invalidate(client, { queryKey: [path] })
  invalidate(client, {
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

function patch<Data>(client: QueryClient, queryKey: QueryKey, change: (known: Data) => Data): void {
  const filter = { queryKey, exact: true }
  const state = client.getQueryState<Data>(queryKey)
  if (!state) return
  // A response that is under way may be older, and after a failure there is nothing to change.
  if (state.fetchStatus === 'fetching' || state.data === undefined) invalidate(client, filter)
  else client.setQueryData<Data>(queryKey, (known) => known && change(known))
}

const putFirst = (rated: RatedSong, { ratings, ...known }: CachedRatings): CachedRatings => ({
  ...known,
  ratings: [rated, ...ratings.filter(({ id }) => id !== rated.id)],
})
