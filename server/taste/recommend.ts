import { hash } from 'node:crypto'
import { Preferences } from '../../contract/onboarding.ts'

/** A microgenre that may be recommended. */
export interface MicrogenreCandidate {
  key: string
  name: string
  songCount: number
  /** All listeners' ratings of its songs. */
  ratings: number
  /** The listeners in the affinities who bang in it; 0 below ten. */
  listeners: number
  /** How often the listener has played its songs elsewhere, while nothing of it was dealt (imports-25). */
  plays: number
  /** The highest affinity to a microgenre in which the listener bangs, at most 0, and the name of that one. */
  affinity: number | null
  likedName: string | null
}

export interface Fit {
  points: number
  /** Breaks ties between equal points, together with a random number from 0 to 1. */
  nearness: number
  /** The sentence shown as the reason; null when nothing fits. */
  reason: string | null
  /** From 0 to 1. */
  relation?: number
}

export const NO_FIT: Fit = { points: 0, nearness: 0, reason: null }

/** Every fourth place goes to a hardly explored microgenre, whatever fits; each is equally likely. */
const EXPLORATION_INTERVAL = 4

export const HARDLY_EXPLORED = 'Hardly explored yet'
export const PLAYED_ELSEWHERE = 'You play it elsewhere'
export const PICKED_AT_RANDOM = 'Picked at random'

interface RecommendOptions<C> {
  limit: number
  isEligible: (candidate: C) => boolean
  /**
   * The primary rank. With 'fit' an affinity, else a relation, adds only 0 to 1: by affinity alone, most microgenres would
   * never come.
   */
  rankBy: 'affinity' | 'fit'
  fitOf: (candidate: C) => Fit
  /** The same seed gives the same random numbers. */
  seed: string
}

/**
 * Chooses microgenres to recommend, each with a true reason (discover-46, discover-47). `all` has all microgenres,
 * for comparison. Their order and names do not matter.
 */
export function recommend<C extends MicrogenreCandidate>(
  all: readonly C[],
  { limit, isEligible, rankBy, fitOf, seed }: RecommendOptions<C>,
): (C & { reason: string })[] {
  const playable = all.filter(({ songCount }) => songCount > 0)
  const meanListeners = mean(playable.map(({ listeners }) => listeners))
  const explorationThreshold = mean(playable.map(ratingsPerSong)) / 2
  const remaining = playable
    .filter(isEligible)
    .map((candidate) => {
      const { points, nearness, reason, relation = 0 } = fitOf(candidate)
      const { affinity } = candidate
      const affinityReason = explainAffinity(candidate)
      const drawn = drawNumber(`${seed} ${candidate.key}`)
      // Weighted random sampling: each is the highest with a probability in proportion to its weight (Efraimidis,
      // Spirakis 2006).
      const lot = drawn ** (1 / weighListeners(candidate.listeners, meanListeners))
      return {
        candidate,
        drawn,
        ranks:
          rankBy === 'affinity'
            ? [candidate.plays, affinity ?? Number.NEGATIVE_INFINITY, relation, points, nearness + lot]
            : [points, nearness + lot + (affinity === null ? relation : Math.exp(affinity / 2))],
        isUnexplored: ratingsPerSong(candidate) <= explorationThreshold,
        reason: rankBy === 'affinity' ? (affinityReason ?? reason) : (reason ?? affinityReason),
      }
    })
    .sort((one, other) => compareRanks(other.ranks, one.ranks))

  const chosen: (C & { reason: string })[] = []
  while (chosen.length < limit) {
    const isExploring = chosen.length % EXPLORATION_INTERVAL === EXPLORATION_INTERVAL - 1
    const unexplored = isExploring ? highestDraw(remaining.filter((one) => one.isUnexplored)) : null
    const next = unexplored ?? remaining[0]
    if (!next) break
    remaining.splice(remaining.indexOf(next), 1)
    const fallbackReason = next.isUnexplored ? HARDLY_EXPLORED : PICKED_AT_RANDOM
    chosen.push({ ...next.candidate, reason: unexplored ? HARDLY_EXPLORED : (next.reason ?? fallbackReason) })
  }
  return chosen
}

const highestDraw = <Drawn extends { drawn: number }>(drawn: readonly Drawn[]): Drawn | null =>
  drawn.reduce<Drawn | null>((best, one) => (best && best.drawn >= one.drawn ? best : one), null)

const explainAffinity = ({ name, likedName, plays }: MicrogenreCandidate) =>
  plays > 0 ? PLAYED_ELSEWHERE : likedName && `Listeners who banged in ${likedName} bang in ${name}`

const ratingsPerSong = ({ ratings, songCount }: MicrogenreCandidate) => ratings / songCount

const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length)

/** From 1/2 to 2; 1 for the mean number of listeners, and for all microgenres while there are none. */
const weighListeners = (listeners: number, meanListeners: number) =>
  meanListeners === 0 ? 1 : Math.min(2, Math.max(1 / 2, listeners / meanListeners))

/** From 0 to 1, determined by the text. */
const drawNumber = (text: string) => hash('sha256', text, 'buffer').readUInt32BE() / 2 ** 32

/** Compares by the first rank that differs. */
function compareRanks(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((rank, place) => rank !== other[place])
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}

export interface MicrogenreTags {
  energy: string[]
  vocals: string[]
  familiarity: string[]
  mood: string[]
}

/** In order: a mismatch by one level is nearer than one by two. */
const FAMILIARITY_LEVELS: readonly string[] = Preferences.shape.familiarityLevel.options

/** One point per answer that is among the tags; 'mixed' and 'both' match all tags (onboarding-5). */
export function fitToAnswers(
  { energy, vocals, familiarity, mood }: MicrogenreTags,
  answers: Preferences,
): Fit {
  const { energyPreference, vocalPreference, familiarityLevel, musicMood } = answers
  const points = [
    energyPreference === 'mixed' || energy.includes(energyPreference),
    vocalPreference === 'both' || vocals.includes(vocalPreference),
    familiarity.includes(familiarityLevel),
    mood.includes(musicMood),
  ].filter(Boolean).length
  const nearness =
    shareOfTags(energy, energyPreference) +
    shareOfTags(vocals, vocalPreference) +
    (shareOfTags(familiarity, familiarityLevel) ||
      (isAdjacentLevel(familiarity, familiarityLevel) ? 0.25 : 0)) +
    shareOfTags(mood, musicMood)
  return { points, nearness, reason: ANSWER_REASONS[points] ?? null }
}

const ANSWER_REASONS = [
  null,
  'Fits one of your four answers',
  'Fits two of your four answers',
  'Fits three of your four answers',
  'Fits all four of your answers',
] as const

/** A single tag says more than one of several. */
const shareOfTags = (tags: string[], answer: string) => (tags.includes(answer) ? 1 / tags.length : 0)

const isAdjacentLevel = (tags: string[], answer: string) =>
  tags.some((tag) => Math.abs(FAMILIARITY_LEVELS.indexOf(tag) - FAMILIARITY_LEVELS.indexOf(answer)) === 1)

export interface DescribedMicrogenre extends MicrogenreTags {
  name: string
  family: string
}

/** Tags that the reason names. */
const MAX_NAMED_TAGS = 3

/** One point per tag that a microgenre shares with another, two for the same family (discover-46). */
export function fitToMicrogenre(microgenre: DescribedMicrogenre, other: DescribedMicrogenre): Fit {
  const otherTags = tagsOf(other)
  const shared = tagsOf(microgenre).filter((tag) => otherTags.includes(tag))
  const isFamily = microgenre.family === other.family
  const points = shared.length + (isFamily ? 2 : 0)
  const namedTags = shared.length > 0 ? shared.slice(0, MAX_NAMED_TAGS) : isFamily ? [other.family] : []
  const reason =
    namedTags.length > 0 ? capitalise(`${listFormat.format(namedTags)}, like ${other.name}`) : null
  return { points, nearness: 0, reason }
}

/** What the catalogue says of a microgenre: keys of its relatives, the closest first. */
export interface RelatedMicrogenre {
  key: string
  relatives: string[]
}

/** How much less each relative counts than the one before it. */
const RELATION_STEP = 0.05

/** From 0 to 1, whichever of the two names the other. */
export function relationOf(one: RelatedMicrogenre, other: RelatedMicrogenre): number {
  const places = [one.relatives.indexOf(other.key), other.relatives.indexOf(one.key)]
  return Math.max(0, ...places.filter((place) => place >= 0).map((place) => 1 - place * RELATION_STEP))
}

/** The fit with the relation to the closest of these, if it is related to any. */
export function addRelation(
  fit: Fit,
  microgenre: RelatedMicrogenre,
  others: readonly (RelatedMicrogenre & { name: string })[],
): Fit {
  const relations = others.map((other) => ({ name: other.name, relation: relationOf(microgenre, other) }))
  const [closest] = relations.sort((one, other) => other.relation - one.relation)
  if (!closest?.relation) return fit
  return { ...fit, relation: closest.relation, reason: `Related to ${closest.name}` }
}

export const tagsOf = ({ energy, vocals, mood, familiarity }: MicrogenreTags) => [
  ...energy,
  ...vocals,
  ...mood,
  ...familiarity,
]

const listFormat = new Intl.ListFormat('en-GB')

const capitalise = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1)
