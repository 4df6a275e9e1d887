interface Choice {
  id: string
  songCount: number
  unratedCount: number
}

/** The first of a page load: a recommended one with songs left to rate, else any (discover-1). */
export function pickFirst<C extends Choice & { reason: string | null }>(
  choices: readonly C[],
  random?: () => number,
): C | null {
  const recommended = choices.filter(({ reason, unratedCount }) => reason && unratedCount > 0)
  return pickMicrogenre(recommended.length > 0 ? recommended : choices, random)
}

/**
 * A microgenre at random: one with songs left to rate, else one with songs, else none. `random` returns 0 to 1.
 */
export function pickMicrogenre<C extends Choice>(
  choices: readonly C[],
  random: () => number = Math.random,
): C | null {
  const withSongs = choices.filter(({ songCount }) => songCount > 0)
  const unfinished = withSongs.filter(({ unratedCount }) => unratedCount > 0)
  const from = unfinished.length > 0 ? unfinished : withSongs
  return from[Math.floor(random() * from.length)] ?? null
}
