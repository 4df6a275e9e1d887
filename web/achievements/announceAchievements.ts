import type { Achievement } from '../../contract/shapes.ts'
import { queueToast } from '../ui/toast.ts'
import { announcementText } from './announcements.ts'

/** Announces achievements, one toast after the other (community-14). */
export function announceAchievements(unlocked: readonly Pick<Achievement, 'type' | 'metadata'>[]): void {
  for (const achievement of unlocked)
    queueToast({
      title: 'Achievement Unlocked!',
      description: announcementText(achievement),
      tone: 'success',
    })
}
