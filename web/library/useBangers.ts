import { useQuery } from '@tanstack/react-query'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import { query } from '../api/query.ts'

const MINUTE = 60_000

/** The listener's bangers, newest first: all ratings, kept to the bangers here (spec §7, D-59). */
export function useBangers() {
  return useQuery({
    ...query(listRatings),
    staleTime: 5 * MINUTE,
    gcTime: 30 * MINUTE,
    select: keepBangers,
  })
}

const keepBangers = (ratings: RatedSong[]) => ratings.filter(({ rating }) => rating === 'banger')
