import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { preload } from '../api/preload.ts'
import { bangersQuery } from './ratedSongs.ts'

/** Preloads the profile's first list while the page's code loads. */
export function usePreloadProfile(wanted: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (wanted) preload(queryClient, bangersQuery)
  }, [wanted, queryClient])
}
