import { achievementName } from '../../contract/achievementNames.ts'
import type { Achievement } from '../../contract/shapes.ts'
import { AchievementCards } from '../achievements/AchievementCards.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'

interface AchievementTabProps {
  list: { data: Achievement[] | undefined; isError: boolean; refetch: () => unknown }
}

export function AchievementTab({ list: { data, isError, refetch } }: AchievementTabProps) {
  return (
    <>
      <h2 className="mb-3">Your Achievements</h2>
      {data ? (
        <>
          {data.length === 0 && (
            <p className="mb-3 text-base text-ink-2">
              No achievements unlocked yet. Keep discovering music to earn your first achievement!
            </p>
          )}
          <AchievementCards achievements={data} nameOf={achievementName} label="Your achievements" />
        </>
      ) : isError ? (
        <LoadFailure onRetry={refetch}>Failed to fetch achievements</LoadFailure>
      ) : (
        <p role="status" className="text-ink-2">
          Loading achievements...
        </p>
      )}
    </>
  )
}
