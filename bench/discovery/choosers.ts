import { type Crowd, normal } from './crowd.ts'

/** What decides which songs a listener hears. It knows only the ratings that it caused itself. */
export interface Chooser {
  /** Lets a new listener with these verdicts hear songs, and returns them in order. */
  listen(verdicts: string): Promise<number[]>
  /** What that many accounts can do for one song. */
  push(song: number, accounts: number): Promise<void>
}

/** Ratings of a song, and how many of them are bangers. */
interface Known {
  ratings: number
  bangers: number
}

/** Gives each song a score for the next listener; the highest are heard. */
type Score = (known: Known, random: () => number) => number

/** Choosers that see all songs at once, to compare with. */
export const scores = {
  'plain shuffle': (_, random) => random(),
  // Ties by lot.
  popularity: ({ ratings, bangers }, random) => (bangers + 4) / (ratings + 13) + 1e-9 * random(),
  'Thompson sampling': ({ ratings, bangers }, random) => {
    const liked = gamma(1 + bangers, random)
    return liked / (liked + gamma(2 + ratings - bangers, random))
  },
} satisfies Record<string, Score>

export function chooseBy(
  score: Score,
  { songs, elsewhere }: Crowd,
  most: number,
  random: () => number,
): Chooser {
  const known: Known[] = Array.from({ length: songs }, () => ({ ratings: 0, bangers: 0 }))
  return {
    async listen(verdicts) {
      const heard = known
        .map((each, song) => ({ song, score: score(each, random) }))
        .filter(({ song }) => song >= elsewhere && verdicts[song] !== '-')
        .sort((a, b) => b.score - a.score)
        .slice(0, most)
        .map(({ song }) => song)
      for (const song of heard) rate(song, 1, verdicts[song] === '1' ? 1 : 0)
      return heard
    },
    async push(song, accounts) {
      rate(song, accounts, accounts)
    },
  }

  function rate(song: number, ratings: number, bangers: number): void {
    const its = known[song]
    if (!its) return
    its.ratings += ratings
    its.bangers += bangers
  }
}

/** A number of the gamma distribution, for a shape of at least 1 (Marsaglia and Tsang, 2000). */
function gamma(shape: number, random: () => number): number {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normal(random)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - random()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}
