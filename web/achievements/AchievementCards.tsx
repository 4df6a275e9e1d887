import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  type AchievementProgress,
  compactAchievementName,
  isAchievementType,
  listAchievementProgress,
} from '../../contract/achievements.ts'
import { isolateName } from '../../contract/isolateName.ts'
import type { Achievement, AchievementType } from '../../contract/shapes.ts'
import { query } from '../api/query.ts'
import { IconButton } from '../ui/controls/Button.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { Lock, Share2 } from '../ui/laterIcons.ts'
import { railed } from '../ui/media.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { openDialog } from '../ui/screenParams.ts'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { AchievementMedal, achievementRarity } from './AchievementMedal.tsx'

interface AchievementCardsProps {
  achievements: readonly Achievement[]
  /** Each screen names an unknown type in its own way (community-9). */
  nameOf: (type: string) => string
  label: string
  /** Whether the list scrolls separately from the page. */
  scrolls?: boolean
}

/** The listener's achievements, newest first, then the ones to earn, with the progress (community-16). */
export function AchievementCards({ achievements, nameOf, label, scrolls = false }: AchievementCardsProps) {
  const { data, isError, refetch } = useQuery(query(listAchievementProgress))
  const isRailed = useMediaQuery(railed)
  const earned = new Set(achievements.map(({ type }) => type))
  const locked = data?.filter(({ type }) => isAchievementType(type) && !earned.has(type)) ?? []
  return (
    <>
      {achievements.length + locked.length > 0 && (
        <ul
          // So that the keyboard can scroll it.
          tabIndex={scrolls && isRailed ? 0 : undefined}
          aria-label={label}
          className={`grid gap-x-10 @xl:grid-cols-2 ${scrolls ? 'min-h-0 [scrollbar-width:thin] focus-visible:-outline-offset-2 railed:overflow-y-auto' : ''}`}
        >
          {achievements.map((achievement) => (
            <EarnedCard key={achievement.id} achievement={achievement} nameOf={nameOf} />
          ))}
          {locked.map((progress) => (
            <LockedCard key={progress.type} progress={progress} nameOf={nameOf} />
          ))}
        </ul>
      )}
      {isError && !data && (
        <LoadFailure onRetry={refetch}>The achievements still to be earned did not load.</LoadFailure>
      )}
    </>
  )
}

type NameOf = Pick<AchievementCardsProps, 'nameOf'>

function EarnedCard({ achievement, nameOf }: { achievement: Achievement } & NameOf) {
  const { type, metadata, createdAt } = achievement
  return (
    <Card
      type={type}
      name={nameOf(type)}
      details={
        <p className="text-xs text-ink-2">
          {metadata?.microgenreName && (
            <>
              <bdi>{metadata.microgenreName}</bdi> ·{' '}
            </>
          )}
          Unlocked <time dateTime={createdAt}>{formatDate(createdAt)}</time>
        </p>
      }
      action={<ShareAchievementButton achievement={achievement} />}
    />
  )
}

function LockedCard({ progress, nameOf }: { progress: AchievementProgress } & NameOf) {
  const { type, count, threshold, microgenreName } = progress
  return (
    <Card
      type={type}
      locked
      name={nameOf(type)}
      details={
        <>
          <p className="text-xs text-ink-2 tabular-nums">
            {count.toLocaleString()} of {threshold.toLocaleString()}{' '}
            {isAchievementType(type) && COUNT_UNITS[type]}
            {microgenreName && ` in ${isolateName(microgenreName)}`}
          </p>
          <span aria-hidden="true" className="mt-1.5 h-1 overflow-hidden rounded-[1px] bg-line">
            <span className="block h-full bg-ink-2" style={{ width: `${(100 * count) / threshold}%` }} />
          </span>
        </>
      }
      action={<Lock role="img" aria-label="Locked" className="size-5 text-ink-3" />}
    />
  )
}

/** What is counted on the way to each (community-10, community-11). */
const COUNT_UNITS: Record<AchievementType, string> = {
  first_banger: 'banger',
  microgenre_master: 'bangers',
  streak_5: 'ratings in a row',
  streak_10: 'ratings in a row',
  streak_25: 'ratings in a row',
  explorer: 'microgenres',
  critic: 'songs',
  enthusiast: 'songs',
}

interface CardProps {
  type: string
  name: string
  locked?: boolean
  details: ReactNode
  action: ReactNode
}

function Card({ type, name, locked = false, details, action }: CardProps) {
  const rarity = achievementRarity(type)
  return (
    <li className="flex items-center gap-2 border-b border-line py-2">
      <AchievementMedal type={type} locked={locked} />
      {/* The rarity wraps below the text where there is little room beside it. */}
      <div className="ml-1.5 flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <div className="grid min-w-0 flex-[1_8rem]">
          <h3>{name}</h3>
          {details}
        </div>
        {rarity && (
          <span className="rounded-[4px] border border-line-strong px-2 py-0.5 text-2xs font-semibold text-ink-2">
            {rarity}
          </span>
        )}
      </div>
      <span className="grid size-(--size-touch) flex-none place-items-center">{action}</span>
    </li>
  )
}

function ShareAchievementButton({ achievement }: { achievement: Achievement }) {
  return (
    <IconButton
      label={`Share ${compactAchievementName(achievement.type)}`}
      onClick={() => openDialog('share-achievement', { achievement: achievement.id })}
    >
      <Share2 />
    </IconButton>
  )
}
