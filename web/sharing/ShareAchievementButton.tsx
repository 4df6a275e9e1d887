import { Share2 } from 'lucide-react'
import { useState } from 'react'
import type { Achievement } from '../../contract/shapes.ts'
import { compactAchievementName } from '../achievements/achievementNames.ts'
import { Button } from '../ui/Button.tsx'
import { AchievementShareDialog } from './AchievementShareDialog.tsx'

/** 'Share' on the card of one achievement. */
export function ShareAchievementButton({ achievement }: { achievement: Achievement }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="bare"
        size="square"
        aria-label={`Share ${compactAchievementName(achievement.type)}`}
        onClick={() => setOpen(true)}
      >
        <Share2 className="size-5" strokeWidth={1.75} aria-hidden="true" />
      </Button>
      <AchievementShareDialog achievement={achievement} open={open} onOpenChange={setOpen} />
    </>
  )
}
