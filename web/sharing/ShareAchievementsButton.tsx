import { useState } from 'react'
import type { Achievement } from '../../contract/shapes.ts'
import { Button } from '../ui/Button.tsx'
import { AchievementShareDialog } from './AchievementShareDialog.tsx'

/** From so many achievements on there is something to show (COMMUNITY-11). */
const LEAST = 3

/** Shares the newest of the achievements, which come newest first (D-82). */
export function ShareAchievementsButton({ achievements }: { achievements: readonly Achievement[] }) {
  const [open, setOpen] = useState(false)
  const [newest] = achievements
  if (!newest || achievements.length < LEAST) return null
  return (
    <>
      <Button className="mt-4 w-full" onClick={() => setOpen(true)}>
        Share achievements
      </Button>
      <AchievementShareDialog achievement={newest} open={open} onOpenChange={setOpen} />
    </>
  )
}
