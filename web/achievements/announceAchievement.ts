import type { Achievement } from '../../contract/shapes.ts'
import { queueToast } from '../ui/toast.ts'
import { announcementOf } from './achievementNames.ts'

/** Tells of an achievement, after those that are being told already: 4 s each (D-54). */
export function announceAchievement(achievement: Pick<Achievement, 'type' | 'metadata'>): void {
  queueToast({ title: 'Achievement Unlocked!', description: announcementOf(achievement), tone: 'success' })
}
