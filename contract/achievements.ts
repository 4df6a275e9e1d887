import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Achievement, type AchievementType } from './shapes.ts'

export type Rarity = 'Common' | 'Uncommon' | 'Rare' | 'Epic' | 'Legendary'

/** Shown on the cards in Community and in the share dialog (community-15). */
export const RARITIES: Record<AchievementType, Rarity> = {
  first_banger: 'Common',
  streak_5: 'Common',
  streak_10: 'Uncommon',
  explorer: 'Uncommon',
  microgenre_master: 'Rare',
  critic: 'Rare',
  streak_25: 'Epic',
  enthusiast: 'Legendary',
}

export const listAchievements = endpoint('GET /api/users/me/achievements', {
  access: 'signed-in',
  summary: "The listener's achievements, newest first.",
  response: z.array(Achievement),
})

/** How far the listener is on the way to an achievement. */
export const AchievementProgress = z.object({
  /** A string because a newer server may know more types than this page. */
  type: z.string(),
  /** Bangers, ratings or microgenres so far; at most `threshold`. */
  count: z.int(),
  threshold: z.int(),
  /** The microgenre that is counted, where only one is. */
  microgenreName: z.nullable(z.string()),
})
export type AchievementProgress = z.infer<typeof AchievementProgress>

export const listAchievementProgress = endpoint('GET /api/users/me/achievements/progress', {
  access: 'signed-in',
  summary: 'The achievements that the listener has not earned yet, the nearest first (community-16).',
  response: z.array(AchievementProgress),
})

export const checkAchievements = endpoint('POST /api/users/me/achievements/check', {
  access: 'signed-in',
  summary:
    'Achievements that were not announced before. Each is returned exactly once, also to parallel calls (community-13).',
  response: z.array(Achievement),
})

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
