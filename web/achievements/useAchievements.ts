import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { checkAchievements, listAchievements } from '../../contract/achievements.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { announceAchievements } from './announceAchievements.ts'

/** The listener's achievements, newest first. */
export function useAchievements() {
  return useQuery(query(listAchievements))
}

/** Returns a function that requests achievements which were not announced yet, and announces them (community-13). */
export function useCheckAchievements(): () => void {
  const queryClient = useQueryClient()
  return useCallback(() => {
    call(checkAchievements).then(
      (unlocked) => {
        announceAchievements(unlocked)
        if (unlocked.length > 0) void queryClient.invalidateQueries({ queryKey: [listAchievements.path] })
      },
      // The server keeps them until they are announced, so the next rating shows them.
      () => {},
    )
  }, [queryClient])
}
