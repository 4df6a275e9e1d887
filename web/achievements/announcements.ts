import { achievementName } from '../../contract/achievementNames.ts'
import { isolateName } from '../../contract/isolateName.ts'
import type { Achievement } from '../../contract/shapes.ts'

/** The text of the toast, with the microgenre for a master (community-14). */
export function announcementText({ type, metadata }: Pick<Achievement, 'type' | 'metadata'>): string {
  const name = achievementName(type)
  const microgenreName = metadata?.microgenreName
  return type === 'microgenre_master' && microgenreName
    ? `${name}: ${isolateName(String(microgenreName))}`
    : name
}
