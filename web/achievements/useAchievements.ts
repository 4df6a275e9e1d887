import { useQuery } from '@tanstack/react-query'
import { listAchievements } from '../../contract/achievements.ts'
import { query } from '../api/query.ts'

/** The listener's achievements, newest first. */
export function useAchievements() {
  return useQuery(query(listAchievements))
}
