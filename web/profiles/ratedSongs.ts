import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import type { Rating } from '../../contract/shapes.ts'
import { callRange, type ListRange } from '../api/call.ts'
import { prefetch, query } from '../api/query.ts'
import { MAX_PROFILE_SONGS } from './maxProfileSongs.ts'

export type RatedSongs = ListRange<RatedSong>

const newestRatingsQuery = (type: Rating) => ({
  queryKey: query(listRatings, { query: { type } }).queryKey,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<RatedSongs> =>
    callRange(listRatings, { query: { type } }, { limit: MAX_PROFILE_SONGS[type] }, { signal }),
})

export const bangersQuery = newestRatingsQuery('banger')
export const bustsQuery = newestRatingsQuery('bust')

/** Preloads the profile's first list while the page's code loads. */
export function usePreloadProfile(isEnabled: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isEnabled) prefetch(queryClient, bangersQuery)
  }, [isEnabled, queryClient])
}
