import type { Achievement } from '../../contract/shapes.ts'
import { queueToast } from '../ui/toast.ts'
import { announcementOf, announcementOfAll } from './announcements.ts'

/** Announces achievements that arrived together in one toast, after those that are already queued (community-14). */
export function announceAchievements(unlocked: readonly Pick<Achievement, 'type' | 'metadata'>[]): void {
  if (unlocked.length === 0) return
  const description = announcementOfAll(unlocked.map(announcementOf))
  queueToast({ title: 'Achievement Unlocked!', description, tone: 'success' })
}
