import { foldText } from '../../contract/foldText.ts'

export interface MicrogenreFilter {
  /** Each must be in the name or description, however typed (`foldText`); special characters are literal. */
  text: string
  /** '' for any. */
  family: string
  mood: string
}

interface SearchableMicrogenre {
  name: string
  description: string
  family: string
  mood: readonly string[]
  /** Why it is recommended; null where it is not. */
  reason: string | null
}

export const anything: MicrogenreFilter = { text: '', family: '', mood: '' }

/**
 * The microgenres of this family and mood whose name or description has every word; matches by name first. Without
 * words the recommended ones come first.
 */
export function searchMicrogenres<M extends SearchableMicrogenre>(
  all: readonly M[],
  wanted: MicrogenreFilter,
): M[] {
  const words = foldText(wanted.text).split(/\s+/).filter(Boolean)
  const has = (text: string) => {
    const folded = foldText(text)
    return words.every((word) => folded.includes(word))
  }
  const fitting = all.filter(
    ({ family, mood }) =>
      (!wanted.family || family === wanted.family) && (!wanted.mood || mood.includes(wanted.mood)),
  )
  const byName = fitting.filter(({ name }) => has(name))
  const byText = fitting.filter((one) => !byName.includes(one) && has(`${one.name} ${one.description}`))
  const found = [...byName, ...byText]
  return words.length > 0 ? found : found.sort((a, b) => Number(!a.reason) - Number(!b.reason))
}
