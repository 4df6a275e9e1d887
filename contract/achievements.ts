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

export const listAchievements = endpoint({
  method: 'GET',
  path: '/api/users/me/achievements',
  access: 'signed-in',
  summary: "The listener's achievements, newest first.",
  response: z.array(Achievement),
})

export const checkAchievements = endpoint({
  method: 'POST',
  path: '/api/users/me/achievements/check',
  access: 'signed-in',
  summary:
    'Achievements that were not announced before. Each is returned exactly once, also to parallel calls (community-13).',
  response: z.array(Achievement),
})
