import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import { query } from '../api/query.ts'

const MINUTE = 60_000

/** All ratings, as the library asks for them. */
const ratingsQuery = { ...query(listRatings), staleTime: 5 * MINUTE, gcTime: 30 * MINUTE }

/** The listener's bangers, newest first: all ratings, kept to the bangers here (spec §7, D-59). */
export function useBangers() {
  // What was asked for ahead and failed is not asked again for that the section appears (API-05).
  return useQuery({ ...ratingsQuery, select: keepBangers, retryOnMount: false })
}

/** Asks for the ratings while the library's code is still on its way; a long list is what takes time. */
export function usePreloadBangers(wanted: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (wanted) void queryClient.prefetchQuery(ratingsQuery)
  }, [wanted, queryClient])
}

const keepBangers = (ratings: RatedSong[]) => ratings.filter(({ rating }) => rating === 'banger')
