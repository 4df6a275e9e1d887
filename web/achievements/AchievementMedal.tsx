import { isAchievementType, RARITIES, type Rarity } from '../../contract/achievements.ts'
import type { AchievementType } from '../../contract/shapes.ts'
import type { Icon } from '../ui/icons.tsx'
import { AudioWaveform, Award, Compass, Flame, Headphones, PenLine, Rocket, Trophy, Zap } from './icons.ts'

const icons: Record<AchievementType, Icon> = {
  first_banger: Flame,
  microgenre_master: Trophy,
  streak_5: AudioWaveform,
  streak_10: Zap,
  streak_25: Rocket,
  explorer: Compass,
  critic: PenLine,
  enthusiast: Headphones,
}

interface AchievementMedalProps {
  type: string
  /** Not yet earned. */
  locked?: boolean
  className?: string
}

/** An achievement's icon in a ring. Decorative: its name is beside it. */
export function AchievementMedal({ type, locked = false, className = 'size-11' }: AchievementMedalProps) {
  const Icon = isAchievementType(type) ? icons[type] : Award
  const earned = type === 'first_banger' ? 'border-hot text-hot' : 'border-ink-2'
  const ringStyle = locked ? 'border-dashed border-line-strong text-ink-3' : earned
  return (
    <span
      aria-hidden="true"
      className={`grid flex-none place-items-center rounded-full border-[1.5px] ${ringStyle} ${className}`}
    >
      <Icon className="size-[45%]" />
    </span>
  )
}

/** The rarity of an achievement (community-15); null for an unknown type. */
export function achievementRarity(type: string): Rarity | null {
  return isAchievementType(type) ? RARITIES[type] : null
}
