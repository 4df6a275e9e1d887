interface Choice {
  id: string
  songCount: number
  unratedCount: number
}

/**
 * The microgenre that a page load begins with: one of those with songs left to rate, else one with any song,
 * else none (D-27). `random` gives 0 up to 1.
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
