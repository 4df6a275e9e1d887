import { achievementName } from '../../contract/achievementNames.ts'
import type { Achievement } from '../../contract/shapes.ts'
import { AchievementMedal } from '../achievements/AchievementMedal.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'

interface AchievementGridProps {
  list: { data: Achievement[] | undefined; isError: boolean; refetch: () => unknown }
}

export function AchievementGrid({ list }: AchievementGridProps) {
  return (
    <>
      <h2 className="mb-3">Your Achievements</h2>
      <Achievements list={list} />
    </>
  )
}

function Achievements({ list: { data, isError, refetch } }: AchievementGridProps) {
  if (!data && isError) {
    return <LoadFailure onRetry={() => void refetch()}>Failed to fetch achievements</LoadFailure>
  }
  if (!data) {
    return (
      <p role="status" className="text-ink-2">
        Loading achievements...
      </p>
    )
  }
  if (data.length === 0) {
    return (
      <p className="text-base text-ink-2">
        No achievements unlocked yet. Keep discovering music to earn your first achievement!
      </p>
    )
  }
  return (
    <ul className="grid gap-x-10 @xl:grid-cols-2 @5xl:grid-cols-3">
      {data.map((achievement) => (
        <AchievementCell key={achievement.id} achievement={achievement} />
      ))}
    </ul>
  )
}

function AchievementCell({ achievement: { type, metadata, createdAt } }: { achievement: Achievement }) {
  return (
    <li className="flex items-center gap-4 border-b border-line py-3">
      <AchievementMedal type={type} className="size-14" />
      <div className="grid min-w-0">
        <h3>{achievementName(type)}</h3>
        {metadata.microgenreName && <p className="text-ink-2">{metadata.microgenreName}</p>}
        <p className="text-xs text-ink-2">
          Unlocked <time dateTime={createdAt}>{formatDate(createdAt)}</time>
        </p>
      </div>
    </li>
  )
}
