/** What one listener heard of one microgenre. */
export interface Listening {
  songs: readonly number[]
  bangers: readonly boolean[]
  /** The share of bangers among all songs that were offered: what a shuffle finds on average. */
  usual: number
}

export const TITLES = {
  early: 'lift, first 100',
  late: 'lift, late ones',
  first: 'first banger at',
  half: 'plays of half, %',
  five: '≥ 5 plays, %',
  brigade: 'brigade, × mean',
} as const

export type Figures = Partial<Record<keyof typeof TITLES, number>>

interface Room {
  songs: number
  elsewhere: number
  /** Listeners from this one on are the late ones. */
  late: number
}

/**
 * The lift is the number of bangers as a multiple of what a shuffle finds on average. A listener without a banger counts
 * as having the first after the last song. Half: the share of all plays that the least-heard half of the songs had.
 */
export function figuresOf(listenings: readonly Listening[], { songs, elsewhere, late }: Room): Figures {
  const latest = listenings.slice(late)
  const plays = playsOf(listenings, songs)
    .slice(elsewhere)
    .sort((a, b) => a - b)
  return {
    early: liftOf(listenings.slice(0, 100)),
    late: liftOf(latest),
    first: meanOf(
      latest.map(({ bangers }) => (bangers.includes(true) ? bangers.indexOf(true) : bangers.length) + 1),
    ),
    half: (100 * sumOf(plays.slice(0, Math.floor(plays.length / 2)))) / sumOf(plays),
    five: (100 * plays.filter((times) => times >= 5).length) / plays.length,
  }
}

function liftOf(listenings: readonly Listening[]): number {
  const found = sumOf(listenings.map(({ bangers }) => bangers.filter(Boolean).length))
  return found / sumOf(listenings.map(({ songs, usual }) => songs.length * usual))
}

/** How often each song was heard. */
export function playsOf(listenings: readonly Listening[], songs: number): number[] {
  const plays = Array.from({ length: songs }, () => 0)
  for (const song of listenings.flatMap((listening) => listening.songs)) plays[song] = (plays[song] ?? 0) + 1
  return plays
}

export const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

export const meanOf = (values: readonly number[]) => sumOf(values) / values.length

/** '1.24 ±.02': the mean over the seeds and its 95 % interval. */
export function withInterval(values: readonly number[], digits: number): string {
  const mean = meanOf(values)
  const free = values.length - 1
  if (free < 1) return mean.toFixed(digits)
  const variance = sumOf(values.map((value) => (value - mean) ** 2)) / free
  // Student's t for 95 %; off by less than a hundredth from 20 seeds on.
  const t = 1.96 + 2.37 / free + 2.8 / free ** 2
  return `${mean.toFixed(digits)} ±${(t * Math.sqrt(variance / values.length)).toFixed(digits).replace(/^0/, '')}`
}
