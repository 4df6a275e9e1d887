import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { checkAchievements, listAchievements } from '../../contract/achievements.ts'
import { call } from '../api/call.ts'
import { announceAchievements } from './announceAchievements.ts'

/**
 * Returns a function to call when the answer to a rating says so. It requests unannounced achievements and announces
 * them (community-13).
 */
export function useCheckAchievements(): () => void {
  const queryClient = useQueryClient()
  return useCallback(() => {
    call(checkAchievements).then(
      (unlocked) => {
        announceAchievements(unlocked)
        if (unlocked.length > 0) void queryClient.invalidateQueries({ queryKey: [listAchievements.path] })
      },
      // The server keeps unannounced achievements, so the next rating shows them.
      () => {},
    )
  }, [queryClient])
}
