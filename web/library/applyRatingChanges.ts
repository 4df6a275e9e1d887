import type { RatedSong, RatingChanges } from '../../contract/library.ts'

/** A list of ratings, newest first, with what has changed in it since (library-17). */
export function applyRatingChanges(
  cachedRatings: readonly RatedSong[],
  { ratings, removed }: Pick<RatingChanges, 'ratings' | 'removed'>,
): RatedSong[] {
  const changed = new Set([...removed, ...ratings.map(({ id }) => id)])
  const merged = ratings.concat(cachedRatings.filter(({ id }) => !changed.has(id)))
  // A rating that an undo has restored may be an old one.
  return merged.sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0))
}

/** Whether the list is as long as the listener's counters say. */
export const matchesTotals = (
  ratings: readonly RatedSong[],
  { totalBangers, totalRatings }: Pick<RatingChanges, 'totalBangers' | 'totalRatings'>,
): boolean =>
  ratings.length === totalRatings &&
  ratings.filter(({ rating }) => rating === 'banger').length === totalBangers
