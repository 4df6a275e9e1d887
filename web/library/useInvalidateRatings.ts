import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { listAchievementProgress, listAchievements } from '../../contract/achievements.ts'
import { listRatings } from '../../contract/library.ts'
import { getDailyStats, getMyStats } from '../../contract/profiles.ts'

/**
 * Returns a function to call after a rating was made or removed: it invalidates everything that counts ratings
 * (library-8).
 */
export function useInvalidateRatings(): () => void {
  const queryClient = useQueryClient()
  return useCallback(() => {
    for (const { path } of RATED) void queryClient.invalidateQueries({ queryKey: [path] })
  }, [queryClient])
}

const RATED = [listRatings, getMyStats, getDailyStats, listAchievements, listAchievementProgress]
