import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listAchievements } from '../../contract/achievements.ts'
import { reportProgress } from '../../contract/playback.ts'
import { announceAchievements } from '../achievements/announceAchievements.ts'
import { call } from '../api/call.ts'
import type { trackProgress } from './progressReports.ts'

/** Reports listening progress, and announces the achievement in a response (playback-20). */
export function useProgressReports(progress: ReturnType<typeof trackProgress>) {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      progress.follow((body) => {
        call(reportProgress, { body }).then(
          ({ achievement }) => {
            if (!achievement) return
            announceAchievements([achievement])
            void queryClient.invalidateQueries({ queryKey: [listAchievements.path] })
          },
          // The next report of the song contains more.
          () => {},
        )
      }),
    [progress, queryClient],
  )
}
