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
