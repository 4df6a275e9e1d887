import { MIN_COMMON_LISTENERS } from './affinities.ts'
import { type DescribedMicrogenre, tagsOf } from './recommend.ts'

/** A row of `microgenre_affinities`. A microgenre's affinity with itself has the number of listeners who bang in it. */
export interface Affinity {
  microgenreId: string
  otherId: string
  listeners: number
  affinity: number
}

/** The weight of a common family: that of all tags together, so that families stay together. */
const FAMILY_POINTS = 6

/**
 * The nearness of each pair of microgenres, from 0 to 1 (discover-80), as rows in their order: from common
 * listeners where there are enough; 0 where chance alone would give enough, but there are fewer; else from family and tags.
 */
export function computeNearness(
  microgenres: readonly (DescribedMicrogenre & { id: string })[],
  affinities: readonly Affinity[],
): Float64Array[] {
  const correlationRanks = rankCorrelations(affinities)
  const audiences = audiencesOf(affinities)
  return microgenres.map((one) =>
    Float64Array.from(microgenres, (other) => {
      const oneAudience = audiences.get(one.id)
      const otherAudience = audiences.get(other.id)
      const byChance = oneAudience && otherAudience ? oneAudience.listeners * otherAudience.share : 0
      return (
        correlationRanks.get(pairKey(one.id, other.id)) ??
        (Math.round(byChance) >= MIN_COMMON_LISTENERS ? 0 : tagSimilarity(one, other))
      )
    }),
  )
}

/**
 * The rank of each pair's correlation (phi coefficient: 0 by chance, 1 for identical audiences) among all pairs with
 * an affinity, from 0 to 1. Ranks, because correlations are too small to compare with tag similarities.
 */
function rankCorrelations(affinities: readonly Affinity[]): Map<string, number> {
  const audiences = audiencesOf(affinities)
  const correlations = new Map<string, number>()
  for (const { microgenreId, otherId, listeners } of affinities) {
    const one = audiences.get(microgenreId)
    const other = audiences.get(otherId)
    if (!one || !other || microgenreId === otherId) continue
    const covariance = (listeners / one.listeners) * one.share - one.share * other.share
    const scale = Math.sqrt(one.share * (1 - one.share) * other.share * (1 - other.share))
    correlations.set(pairKey(microgenreId, otherId), covariance / (scale || 1))
  }
  const sorted = [...correlations.values()].sort((one, other) => one - other)
  const ranks = new Map(sorted.map((correlation, place) => [correlation, (place + 1) / (sorted.length + 1)]))
  return new Map([...correlations].map(([pair, correlation]) => [pair, ranks.get(correlation) ?? 0]))
}

/** The listeners who bang in each microgenre, and their share of all listeners. */
function audiencesOf(affinities: readonly Affinity[]): Map<string, { listeners: number; share: number }> {
  return new Map(
    affinities
      .filter(({ microgenreId, otherId }) => microgenreId === otherId)
      // The lift of a microgenre with itself is 1 / share.
      .map(({ microgenreId, listeners, affinity }) => [
        microgenreId,
        { listeners, share: Math.min(1, Math.exp(2 * affinity)) },
      ]),
  )
}

/** The share of tags, and the family, that two have in common. */
function tagSimilarity(one: DescribedMicrogenre, other: DescribedMicrogenre): number {
  const tags = tagsOf(one)
  const otherTags = tagsOf(other)
  const shared = tags.filter((tag) => otherTags.includes(tag)).length
  const all = new Set([...tags, ...otherTags]).size
  return (shared + (one.family === other.family ? FAMILY_POINTS : 0)) / (all + FAMILY_POINTS)
}

/** The same key for both orders. */
const pairKey = (one: string, other: string) => (one < other ? `${one} ${other}` : `${other} ${one}`)
