import { isKnown } from '../../contract/achievementNames.ts'
import { RARITIES, type Rarity } from '../../contract/achievements.ts'

/** The rarity of an achievement (community-15); null for an unknown type. */
export function rarityOf(type: string): Rarity | null {
  return isKnown(type) ? RARITIES[type] : null
}
