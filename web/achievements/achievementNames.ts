import type { Achievement, AchievementType } from '../../contract/shapes.ts'

/** The shared page has its own names (community-9, sharing-15). */
const names: Record<AchievementType, string> = {
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
  return isKnown(type) ? names[type] : 'Achievement Unlocked'
}

/** The name in the list of Community, where an unknown type is 'Special' (community-9). */
export function compactAchievementName(type: string): string {
  return isKnown(type) ? names[type] : 'Special'
}

/** The text of the toast, with the microgenre for a master (community-14). */
export function announcementOf({ type, metadata }: Pick<Achievement, 'type' | 'metadata'>): string {
  const name = achievementName(type)
  const { microgenreName } = metadata
  return type === 'microgenre_master' && microgenreName ? `${name}: ${microgenreName}` : name
}

/** Several as one text: 'A, B and C'. A toast shows for 4 s, so more than three are only counted. */
export function announcementOfAll(names: readonly string[]): string {
  const named = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join()
}

/** A newer server may award types that this page does not know. */
export function isKnown(type: string): type is AchievementType {
  return Object.hasOwn(names, type)
}
