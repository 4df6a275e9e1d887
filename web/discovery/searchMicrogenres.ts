export interface Wanted {
  /** Each must be in the name or description; case is ignored, special characters are literal. */
  words: string
  /** '' for any. */
  family: string
  mood: string
}

interface Searched {
  name: string
  description: string
  family: string
  mood: readonly string[]
}

export const anything: Wanted = { words: '', family: '', mood: '' }

/** The microgenres of this family and mood whose name or description has every word; matches by name first. */
export function searchMicrogenres<M extends Searched>(all: readonly M[], wanted: Wanted): M[] {
  const words = wanted.words.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (text: string) => words.every((word) => text.includes(word))
  const fitting = all.filter(
    ({ family, mood }) =>
      (!wanted.family || family === wanted.family) && (!wanted.mood || mood.includes(wanted.mood)),
  )
  const byName = fitting.filter(({ name }) => has(name.toLowerCase()))
  const byText = fitting.filter(
    (one) => !byName.includes(one) && has(`${one.name} ${one.description}`.toLowerCase()),
  )
  return [...byName, ...byText]
}

/** One of these at random: not the current one, and with songs left to rate where there are any. */
export function surprise<M extends { id: string; songCount: number; unratedCount: number }>(
  found: readonly M[],
  current: string | null,
): M | null {
  const others = found.filter(({ id, songCount }) => id !== current && songCount > 0)
  const unfinished = others.filter(({ unratedCount }) => unratedCount > 0)
  const from = unfinished.length > 0 ? unfinished : others
  return from[Math.floor(Math.random() * from.length)] ?? null
}
