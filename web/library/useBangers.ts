import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import { query } from '../api/query.ts'

const MINUTE = 60_000

/** All ratings, with the library's cache times. */
const ratingsQuery = { ...query(listRatings), staleTime: 5 * MINUTE, gcTime: 30 * MINUTE }

/** The listener's bangers, newest first, filtered from all ratings (library-1). */
export function useBangers() {
  // A preload that failed is not repeated on mount (calls-3).
  return useQuery({ ...ratingsQuery, select: keepBangers, retryOnMount: false })
}

/** Loads the ratings while the library's code still loads. */
export function usePreloadBangers(wanted: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (wanted) void queryClient.prefetchQuery(ratingsQuery)
  }, [wanted, queryClient])
}

const keepBangers = (ratings: RatedSong[]) => ratings.filter(({ rating }) => rating === 'banger')
