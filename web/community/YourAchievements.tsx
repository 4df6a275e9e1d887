import { compactAchievementName } from '../../contract/achievementNames.ts'
import { AchievementCards } from '../achievements/AchievementCards.tsx'
import { useAchievements } from '../achievements/useAchievements.ts'
import { AchievementShareDialog } from '../sharing/AchievementShareDialog.tsx'
import { ShareAchievementsButton } from '../sharing/ShareAchievementsButton.tsx'
import { ShareStatsButton } from '../sharing/ShareStatsButton.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'

/** The listener's achievements; they scroll separately beside the video. */
export function YourAchievements() {
  const { data, isError, refetch } = useAchievements()
  return (
    <section aria-labelledby="your-achievements" className="achievement-column">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 id="your-achievements" className="flex-1">
          Your Achievements
        </h2>
        <ShareStatsButton />
      </div>
      {data ? (
        <>
          {data.length === 0 && (
            <p className="text-base text-ink-2">None yet. Your first banger unlocks one.</p>
          )}
          <AchievementCards
            achievements={data}
            nameOf={compactAchievementName}
            label="Your achievements"
            scrolls
          />
          <ShareAchievementsButton achievements={data} />
        </>
      ) : isError ? (
        <LoadFailure onRetry={refetch}>Your achievements did not load.</LoadFailure>
      ) : (
        <p role="status" className="text-ink-2">
          Loading achievements...
        </p>
      )}
      {data && <AchievementShareDialog achievements={data} />}
    </section>
  )
}
