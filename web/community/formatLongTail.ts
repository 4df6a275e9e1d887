import type { LongTail } from '../../contract/longTail.ts'

/** What the least-heard half of the songs got (community-21). Rounded down; 0 % only for no plays at all. */
export function formatLeastHeardHalf({
  songs,
  plays,
  halfPlays,
}: Pick<LongTail, 'songs' | 'plays' | 'halfPlays'>): string {
  const percent = Math.floor((100 * halfPlays) / plays)
  const share = percent === 0 && halfPlays > 0 ? 'less than 1\u00a0%' : `${percent}\u00a0%`
  return `The least-heard half of ${songs.toLocaleString()} songs got ${share} of ${plays.toLocaleString()} plays.`
}

/** How many songs have fewer than five plays, and how many of them were never heard or are new. */
export function formatLittleHeard({
  littleHeard,
  littleHeardNew,
  neverHeard,
}: Pick<LongTail, 'littleHeard' | 'littleHeardNew' | 'neverHeard'>): string {
  if (littleHeard === 0) return 'Every song has five plays or more.'
  const details = [
    neverHeard > 0 && count(neverHeard, 'was never heard', 'were never heard'),
    littleHeardNew > 0 && count(littleHeardNew, 'is new', 'are new'),
  ].filter((detail) => detail !== false)
  const songs = count(littleHeard, 'song has', 'songs have')
  return `${songs} fewer than five plays${details.length > 0 ? ': ' : ''}${details.join(', ')}.`
}

const count = (number: number, one: string, more: string) =>
  `${number.toLocaleString()} ${number === 1 ? one : more}`
