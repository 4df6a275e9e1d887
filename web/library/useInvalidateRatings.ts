import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { listAchievements } from '../../contract/achievements.ts'
import { listRatings } from '../../contract/library.ts'
import { getDailyStats, getMyStats } from '../../contract/profiles.ts'

/** Gives what to call after a rating was made or taken back: everything that counts ratings is asked anew (D-59). */
export function useInvalidateRatings(): () => void {
  const queryClient = useQueryClient()
  return useCallback(() => {
    for (const { path } of [listRatings, getMyStats, getDailyStats, listAchievements]) {
      void queryClient.invalidateQueries({ queryKey: [path] })
    }
  }, [queryClient])
}
