import { achievementName } from '../../contract/achievements.ts'
import { isolateName } from '../../contract/isolateName.ts'
import type { Achievement } from '../../contract/shapes.ts'
import { queueToast } from '../ui/toast.ts'

type UnlockedAchievement = Pick<Achievement, 'type' | 'metadata'>

/** Shows a toast for each, one after the other (community-14). */
export function announceAchievements(unlocked: readonly UnlockedAchievement[]): void {
  for (const achievement of unlocked)
    queueToast({
      title: 'Achievement Unlocked!',
      description: announcementText(achievement),
      tone: 'success',
    })
}

/** A mastered microgenre is named. */
export function announcementText({ type, metadata }: UnlockedAchievement): string {
  const name = achievementName(type)
  const microgenreName = metadata?.microgenreName
  return type === 'microgenre_master' && microgenreName
    ? `${name}: ${isolateName(String(microgenreName))}`
    : name
}
