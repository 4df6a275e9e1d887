import type { QueryClient } from '@tanstack/react-query'
import { checkAchievements } from '../../contract/achievements.ts'
import { addPastRatings, MAX_PAST_RATINGS, type PastRating } from '../../contract/library.ts'
import { announcementText } from '../achievements/announceAchievements.ts'
import { call } from '../api/call.ts'
import { storageKey } from '../api/paths.ts'
import { visitorRatings } from '../auth/visitorRatings.ts'
import { invalidateRatings } from '../library/applyRatingToCache.ts'
import { queueToast } from '../ui/toast.ts'

/** Of songs. Beyond, the oldest goes. */
const MAX_RATINGS = 500

/** A line of what is stored: song, rating and the milliseconds since 1970. */
const LINE = /^([1-9]\d{0,17}) (banger|bust) (\d{13})$/

/** What visitors rated in this browser, one rating of a song, without lines that are none. */
export const readStoredRatings = (): PastRating[] =>
  (visitorRatings.read() ?? '').split('\n').flatMap((line) => {
    const [, songId, rating, at] = LINE.exec(line) ?? []
    return songId
      ? [{ songId, rating: rating as PastRating['rating'], ratedAt: new Date(Number(at)).toISOString() }]
      : []
  })

/** Changes what is stored, one tab after another. If the browser stores nothing, nothing changes. */
export async function changeStoredRatings(change: (ratings: PastRating[]) => PastRating[]): Promise<void> {
  const apply = () => {
    const lines = change(readStoredRatings())
      .slice(-MAX_RATINGS)
      .map(({ songId, rating, ratedAt }) => `${songId} ${rating} ${Date.parse(ratedAt)}`)
    visitorRatings.save(lines.join('\n') || null)
  }
  // Not at addresses without https, nor where pages may store nothing.
  await (navigator.locks
    ? navigator.locks.request(storageKey('visitor-ratings'), apply).catch(apply)
    : apply())
}

/** Moves what was rated in this browser to the account (visitors-23). After a failure, the rest waits for the next load. */
export async function takeOverRatings(queryClient: QueryClient): Promise<void> {
  const all = readStoredRatings()
  let sum = 0
  try {
    for (let from = 0; from === 0 || from < all.length; from += MAX_PAST_RATINGS) {
      const ratings = all.slice(from, from + MAX_PAST_RATINGS)
      const sent = new Set(ratings.map(({ songId, ratedAt }) => songId + ratedAt))
      sum += (await call(addPastRatings, { body: { ratings } })).added
      // Another tab may have added some meanwhile.
      await changeStoredRatings((stored) =>
        stored.filter(({ songId, ratedAt }) => !sent.has(songId + ratedAt)),
      )
    }
  } finally {
    if (sum > 0) await announceAdded(queryClient, sum)
  }
}

async function announceAdded(queryClient: QueryClient, sum: number): Promise<void> {
  invalidateRatings(queryClient)
  const achievements = await call(checkAchievements).catch(() => [])
  queueToast({
    title: `Added ${sum} ${sum === 1 ? 'rating' : 'ratings'} from this browser.`,
    description: achievements.map(announcementText).join(', '),
    tone: 'success',
  })
}
