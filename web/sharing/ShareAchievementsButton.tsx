import type { Achievement } from '../../contract/shapes.ts'
import { Button } from '../ui/controls/Button.tsx'
import { openDialog } from '../ui/screenParams.ts'

/** Shown from this many achievements on (community-8). */
const MIN_ACHIEVEMENTS = 3

/** Shares the newest achievement; they are sorted newest first (community-8). */
export function ShareAchievementsButton({ achievements }: { achievements: readonly Achievement[] }) {
  const [newest] = achievements
  if (!newest || achievements.length < MIN_ACHIEVEMENTS) return null
  return (
    <Button
      className="mt-4 w-full"
      onClick={() => openDialog('share-achievement', { achievement: newest.id })}
    >
      Share achievements
    </Button>
  )
}
