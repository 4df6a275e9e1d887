interface Choice {
  id: string
  songCount: number
  unratedCount: number
}

/** The microgenre of a page load, by `pickMicrogenre`. A recommended one is three times as likely (discover-1). */
export function pickFirstMicrogenre<C extends Choice & { reason: string | null }>(
  choices: readonly C[],
  random?: () => number,
): C | null {
  const weighted = choices.flatMap((choice) => (choice.reason ? [choice, choice, choice] : [choice]))
  return pickMicrogenre(weighted, random)
}

/** A random microgenre with songs left to rate, else one with songs, else null. */
export function pickMicrogenre<C extends Choice>(
  choices: readonly C[],
  random: () => number = Math.random,
): C | null {
  const withSongs = choices.filter(({ songCount }) => songCount > 0)
  const unfinished = withSongs.filter(({ unratedCount }) => unratedCount > 0)
  const candidates = unfinished.length > 0 ? unfinished : withSongs
  return candidates[Math.floor(random() * candidates.length)] ?? null
}
