import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { bangersQuery } from './ratedSongs.ts'

/** Asks for the list that the profile opens with while the page's code is still on its way. */
export function usePreloadProfile(wanted: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (wanted) void queryClient.prefetchQuery(bangersQuery)
  }, [wanted, queryClient])
}
