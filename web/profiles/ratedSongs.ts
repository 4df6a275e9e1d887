import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listRatings } from '../../contract/library.ts'
import { query } from '../api/query.ts'

export const bangersQuery = query(listRatings, { query: { type: 'banger' } })
export const bustsQuery = query(listRatings, { query: { type: 'bust' } })

/** Asks for the list that the profile opens with while the page's code is still on its way. */
export function usePreloadProfile(wanted: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (wanted) void queryClient.prefetchQuery(bangersQuery)
  }, [wanted, queryClient])
}
