import { RARITIES, type Rarity } from '../../contract/achievements.ts'
import { isKnown } from './achievementNames.ts'

/** How rare an achievement is (spec §9); null for a type that this page does not know. */
export function rarityOf(type: string): Rarity | null {
  return isKnown(type) ? RARITIES[type] : null
}
