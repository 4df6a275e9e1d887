import type { Rating, Room } from '../../../contract/shapes.ts'

/** The percentage of listeners who gave this rating: 100 only for all of them, 0 for none. Both make 100. */
export function ratingPercent(rating: Rating, { listeners, bangers }: Room): number {
  const exact = (100 * bangers) / listeners
  const all = bangers % listeners === 0
  const share = all ? exact : Math.min(99, Math.max(1, Math.ceil(exact - 0.5)))
  return rating === 'banger' ? share : 100 - share
}

/** What the listeners of a song think of it, from the view of this rating (discover-40). */
export function splitSentence(rating: Rating, split: Room): string {
  const verdict = rating === 'banger' ? 'Banger' : 'Bust'
  return `${verdict} for ${ratingPercent(rating, split)} % of ${split.listeners.toLocaleString()} listeners`
}
