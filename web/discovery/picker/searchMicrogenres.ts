import { foldText } from '../../../contract/foldText.ts'

export interface MicrogenreFilter {
  /** Each word must be in the name or description, compared by `foldText`. */
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

export const noFilter: MicrogenreFilter = { text: '', family: '', mood: '' }

/** Microgenres that match the filter: by name first, then by description. Without a text the recommended come first. */
export function searchMicrogenres<M extends SearchableMicrogenre>(
  all: readonly M[],
  filter: MicrogenreFilter,
): M[] {
  const words = foldText(filter.text).split(/\s+/).filter(Boolean)
  const hasAllWords = (text: string) => {
    const folded = foldText(text)
    return words.every((word) => folded.includes(word))
  }
  const candidates = all.filter(
    ({ family, mood }) =>
      (!filter.family || family === filter.family) && (!filter.mood || mood.includes(filter.mood)),
  )
  const byName = candidates.filter(({ name }) => hasAllWords(name))
  const byDescription = candidates.filter(
    (one) => !byName.includes(one) && hasAllWords(`${one.name} ${one.description}`),
  )
  const matches = [...byName, ...byDescription]
  return words.length > 0 ? matches : matches.sort((a, b) => Number(!a.reason) - Number(!b.reason))
}
