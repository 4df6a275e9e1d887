import { type QueryClient, type QueryFilters, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { listAchievementProgress, listAchievements } from '../../contract/achievements.ts'
import { listRatings } from '../../contract/library.ts'
import { getDailyStats, getMyStats } from '../../contract/profiles.ts'

/** Returns a function to call after a rating was removed, or may have been made (library-8). */
export function useInvalidateRatings(): () => void {
  const queryClient = useQueryClient()
  return useCallback(() => invalidateRatings(queryClient), [queryClient])
}

/** Invalidates everything that counts ratings. */
export function invalidateRatings(queryClient: QueryClient): void {
  for (const { path } of RATING_ENDPOINTS) invalidateQueries(queryClient, { queryKey: [path] })
}

/**
 * Invalidates queries. TanStack Query does not repeat a request under way for a query without data or component, but its
 * response may be older: it becomes stale when it arrives.
 */
export function invalidateQueries(queryClient: QueryClient, filter: QueryFilters): void {
  const loadingQueries = queryClient.getQueryCache().findAll({ ...filter, fetchStatus: 'fetching' })
  for (const query of loadingQueries) {
    if (query.state.data !== undefined && query.isActive()) continue
    const invalidateAgain = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
    query.promise?.then(invalidateAgain, () => {})
  }
  void queryClient.invalidateQueries(filter)
}

const RATING_ENDPOINTS = [listRatings, getMyStats, getDailyStats, listAchievements, listAchievementProgress]
