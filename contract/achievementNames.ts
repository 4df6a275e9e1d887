import type { AchievementType } from './shapes.ts'

/** Names of achievements. The shared page names some of them differently (community-9, sharing-15). */
const ACHIEVEMENT_NAMES: Record<AchievementType, string> = {
  first_banger: 'First Banger Found!',
  microgenre_master: 'Microgenre Master',
  streak_5: '5 Song Streak',
  streak_10: '10 Song Streak',
  streak_25: '25 Song Streak',
  explorer: 'Music Explorer',
  critic: 'Music Critic',
  enthusiast: 'Music Enthusiast',
}

/** The name on the profile page and in toasts. */
export function achievementName(type: string): string {
  return isAchievementType(type) ? ACHIEVEMENT_NAMES[type] : 'Achievement Unlocked'
}

/**
 * The name in Community, on shared pages and in their pictures, where 'Achievement Unlocked' would say nothing
 * (community-9).
 */
export function compactAchievementName(type: string): string {
  return isAchievementType(type) ? ACHIEVEMENT_NAMES[type] : 'Special'
}

/** A newer server may award types that this page does not know. */
export function isAchievementType(type: string): type is AchievementType {
  return Object.hasOwn(ACHIEVEMENT_NAMES, type)
}
