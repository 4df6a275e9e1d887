import type { QueryClient } from '@tanstack/react-query'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import type { Rating } from '../../contract/shapes.ts'
import { ApiError } from '../api/ApiError.ts'
import { callPart, type ListPart } from '../api/call.ts'
import { query } from '../api/query.ts'

/** How many songs the profile shows (people-15). */
const SHOWN = { banger: 20, bust: 15 } satisfies Record<Rating, number>

export type RatedSongs = ListPart<RatedSong>

const newest = (type: Rating, signal?: AbortSignal): Promise<RatedSongs> =>
  callPart(listRatings, { query: { type } }, { most: SHOWN[type] }, signal && { signal })

const newestQuery = (type: Rating) => ({
  queryKey: query(listRatings, { query: { type } }).queryKey,
  queryFn: ({ signal }: { signal: AbortSignal }) => newest(type, signal),
})

export const bangersQuery = newestQuery('banger')
export const bustsQuery = newestQuery('bust')

let ahead: { answer: Promise<RatedSongs>; arrived?: RatedSongs } | null = null

/** Preloads the profile's first list as soon as a script runs. */
export function prefetchBangers(): void {
  const asked: typeof ahead = { answer: newest('banger') }
  ahead = asked
  asked.answer.then(
    (songs) => {
      asked.arrived = songs
    },
    // A failure is shown in place of the list; signed out, nothing was requested.
    (error) => {
      if (ahead === asked && error instanceof ApiError && error.status === 401) ahead = null
    },
  )
}

/** Puts the preloaded list, or its pending request, into a new cache. */
export function seedBangersCache(queryClient: QueryClient): void {
  const asked = ahead
  ahead = null
  if (asked?.arrived) queryClient.setQueryData(bangersQuery.queryKey, asked.arrived)
  else if (asked) void queryClient.prefetchQuery({ ...bangersQuery, queryFn: () => asked.answer })
}
