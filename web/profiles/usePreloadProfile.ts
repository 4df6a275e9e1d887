import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { prefetch } from '../api/prefetch.ts'
import { bangersQuery } from './ratedSongs.ts'

/** Preloads the profile's first list while the page's code loads. */
export function usePreloadProfile(isEnabled: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isEnabled) prefetch(queryClient, bangersQuery)
  }, [isEnabled, queryClient])
}
