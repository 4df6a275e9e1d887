import { compactAchievementName } from '../../contract/achievementNames.ts'
import type { Achievement } from '../../contract/shapes.ts'
import { AchievementMedal } from '../achievements/AchievementMedal.tsx'
import { rarityOf } from '../achievements/rarity.ts'
import { useAchievements } from '../achievements/useAchievements.ts'
import { AchievementShareDialog } from '../sharing/AchievementShareDialog.tsx'
import { ShareAchievementButton } from '../sharing/ShareAchievementButton.tsx'
import { ShareAchievementsButton } from '../sharing/ShareAchievementsButton.tsx'
import { ShareStatsButton } from '../sharing/ShareStatsButton.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'

/** The listener's achievements as compact cards; scrolls separately beside the video. */
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
        data.length > 0 ? (
          <>
            <AchievementCards achievements={data} />
            <ShareAchievementsButton achievements={data} />
          </>
        ) : (
          <p className="text-base text-ink-2">None yet. Your first banger unlocks one.</p>
        )
      ) : isError ? (
        <LoadFailure onRetry={() => void refetch()}>Your achievements did not load.</LoadFailure>
      ) : (
        <p role="status" className="text-ink-2">
          Loading achievements...
        </p>
      )}
      {data && <AchievementShareDialog achievements={data} />}
    </section>
  )
}

function AchievementCards({ achievements }: { achievements: Achievement[] }) {
  return (
    <ul
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to
      tabIndex={0}
      aria-labelledby="your-achievements"
      className="min-h-0 overflow-y-auto [scrollbar-width:thin] focus-visible:-outline-offset-2"
    >
      {achievements.map((achievement) => (
        <AchievementCard key={achievement.id} achievement={achievement} />
      ))}
    </ul>
  )
}

function AchievementCard({ achievement }: { achievement: Achievement }) {
  const { type, metadata, createdAt } = achievement
  const rarity = rarityOf(type)
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-3.5 border-b border-line py-2.5">
      <AchievementMedal type={type} />
      <span className="grid">
        <b className="font-semibold">{compactAchievementName(type)}</b>
        <span className="text-xs text-ink-2">
          {metadata.microgenreName && <>{metadata.microgenreName} · </>}
          <time dateTime={createdAt}>{formatDate(createdAt)}</time>
        </span>
      </span>
      {rarity && (
        <span className="rounded-[4px] border border-line-strong px-2 py-0.5 text-2xs font-semibold text-ink-2">
          {rarity}
        </span>
      )}
      <span className="col-start-4 -ml-2">
        <ShareAchievementButton achievement={achievement} />
      </span>
    </li>
  )
}
