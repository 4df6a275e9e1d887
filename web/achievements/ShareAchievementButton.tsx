import { compactAchievementName } from '../../contract/achievementNames.ts'
import type { Achievement } from '../../contract/shapes.ts'
import { Button } from '../ui/Button.tsx'
import { Share2 } from '../ui/laterIcons.ts'
import { openDialog } from '../ui/place.ts'

/** 'Share' on the card of one achievement. */
export function ShareAchievementButton({ achievement }: { achievement: Achievement }) {
  return (
    <Button
      variant="bare"
      size="square"
      aria-label={`Share ${compactAchievementName(achievement.type)}`}
      onClick={() => openDialog('share-achievement', { achievement: achievement.id })}
    >
      <Share2 />
    </Button>
  )
}
