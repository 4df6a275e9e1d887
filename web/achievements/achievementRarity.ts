import { isAchievementType } from '../../contract/achievementNames.ts'
import { RARITIES, type Rarity } from '../../contract/achievements.ts'

/** The rarity of an achievement (community-15); null for an unknown type. */
export function achievementRarity(type: string): Rarity | null {
  return isAchievementType(type) ? RARITIES[type] : null
}
