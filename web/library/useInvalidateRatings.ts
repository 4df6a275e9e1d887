import { type QueryClient, useQueryClient } from '@tanstack/react-query'
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
  for (const { path } of RATED) void queryClient.invalidateQueries({ queryKey: [path] })
}

const RATED = [listRatings, getMyStats, getDailyStats, listAchievements, listAchievementProgress]
