import { achievementName } from '../../contract/achievementNames.ts'
import { isolate } from '../../contract/isolate.ts'
import type { Achievement } from '../../contract/shapes.ts'

/** The text of the toast, with the microgenre for a master (community-14). */
export function announcementOf({ type, metadata }: Pick<Achievement, 'type' | 'metadata'>): string {
  const name = achievementName(type)
  const { microgenreName } = metadata
  return type === 'microgenre_master' && microgenreName ? `${name}: ${isolate(String(microgenreName))}` : name
}

/** Several as one text: 'A, B and C'. A toast shows for 4 s, so more than three are only counted. */
export function announcementOfAll(names: readonly string[]): string {
  const named = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join()
}
