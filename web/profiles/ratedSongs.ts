import { useQueryClient } from '@tanstack/react-query'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import type { Rating } from '../../contract/shapes.ts'
import { callRange, type ListRange } from '../api/call.ts'
import { query } from '../api/query.ts'
import { MAX_PROFILE_SONGS } from './maxProfileSongs.ts'

export type RatedSongs = ListRange<RatedSong>

const newestRatingsQuery = (type: Rating) => ({
  queryKey: query(listRatings, { query: { type } }).queryKey,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<RatedSongs> =>
    callRange(listRatings, { query: { type } }, { limit: MAX_PROFILE_SONGS[type] }, { signal }),
})

export const bangersQuery = newestRatingsQuery('banger')
export const bustsQuery = newestRatingsQuery('bust')

/** Requests the profile's first list while the page's code still loads. */
export function usePrefetchProfile(isEnabled: boolean): void {
  const queryClient = useQueryClient()
  if (isEnabled && !queryClient.getQueryState(bangersQuery.queryKey))
    void queryClient.prefetchQuery(bangersQuery)
}
