import { numbersFrom } from '../../tests/factories.ts'

/** Songs and listeners, numbered from 0, and the verdict of each listener on each song. */
export interface Crowd {
  /** The songs of another microgenre, which each listener hears before. They come first. */
  elsewhere: number
  /** All songs, those too. */
  songs: number
  /** Whether each song is a banger for this listener. */
  verdictsOf(listener: number): boolean[]
  /** A song of low quality: 90 % of the songs are better. */
  weak: number
}

/**
 * Standard deviations on the logit scale, calibrated on the public ratings of CM100k: how much listeners differ in
 * lenience, songs in quality, and how much taste adds, in two dimensions. With BASE_LOG_ODDS, 29 % of ratings are
 * bangers.
 */
const STANDARD_DEVIATIONS = { lenience: 1.2, quality: 0.8, taste: 1.1 }
const BASE_LOG_ODDS = -1.34

/** Generated songs and listeners, the same for the same seed. */
export function generateCrowd(seed: number, { songs, elsewhere }: Pick<Crowd, 'songs' | 'elsewhere'>): Crowd {
  const random = numbersFrom(seed)
  const all = Array.from({ length: elsewhere + songs }, () => ({
    quality: STANDARD_DEVIATIONS.quality * normal(random),
    traits: [normal(random), normal(random)] as const,
  }))
  const offeredSongs = all.map(({ quality }, song) => ({ song, quality })).slice(elsewhere)
  const [weak] = offeredSongs.sort((a, b) => a.quality - b.quality).slice(Math.floor(songs / 10))
  return {
    elsewhere,
    songs: all.length,
    weak: weak?.song ?? elsewhere,
    verdictsOf(listener) {
      const own = numbersFrom(seed * 1_000_003 + listener)
      const lenience = STANDARD_DEVIATIONS.lenience * normal(own)
      const taste = [normal(own), normal(own)] as const
      return all.map(({ quality, traits }) => {
        // The product of two normal pairs has a standard deviation of √2.
        const fit = (traits[0] * taste[0] + traits[1] * taste[1]) / Math.SQRT2
        return (
          own() < 1 / (1 + Math.exp(-(BASE_LOG_ODDS + lenience + quality + STANDARD_DEVIATIONS.taste * fit)))
        )
      })
    },
  }
}

/** A number of the standard normal distribution (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
