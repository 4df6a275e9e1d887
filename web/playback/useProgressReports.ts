import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listAchievements } from '../../contract/achievements.ts'
import { reportProgress } from '../../contract/playback.ts'
import { announceAchievements } from '../achievements/announceAchievements.ts'
import { call } from '../api/call.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import { watchProgress } from './progressReports.ts'

/** Reports listening progress, and announces the achievement in a response (playback-20). */
export function useProgressReports(engine: PlaybackEngine) {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      watchProgress(engine, (body) => {
        call(reportProgress, { body }).then(
          ({ achievement }) => {
            if (!achievement) return
            announceAchievements([achievement])
            void queryClient.invalidateQueries({ queryKey: [listAchievements.path] })
          },
          // The next report contains more.
          () => {},
        )
      }),
    [engine, queryClient],
  )
}
