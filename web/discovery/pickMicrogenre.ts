interface Choice {
  id: string
  songCount: number
  unratedCount: number
}

/**
 * A microgenre at random, such as the first of a page load: one with songs left to rate, else one with songs, else none (discover-1).
 * `random` returns 0 to 1.
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
