import { MIN_COMMON_LISTENERS } from './affinities.ts'
import { type DescribedMicrogenre, type RelatedMicrogenre, relationOf, tagsOf } from './recommend.ts'

/** A row of `microgenre_affinities`. A microgenre's affinity with itself has the number of listeners who bang in it. */
export interface Affinity {
  microgenreId: string
  otherId: string
  listeners: number
  affinity: number
}

/** The weight of a common family: that of all tags together, so that families stay together. */
const FAMILY_POINTS = 6

/** Related by a third one, which is less than to be named, and alike only by family and tags, which is less still. */
const INDIRECT_WEIGHT = 0.6
const TAGS_WEIGHT = 0.3

/** With this many common listeners, by chance or counted, they weigh as much as the catalogue. */
const EVEN_LISTENERS = 20

/** How many nearest ones are named. */
const NEAREST_COUNT = 3

type NearMicrogenre = DescribedMicrogenre & RelatedMicrogenre & { id: string }

/**
 * The nearness of each pair of microgenres, from 0 to 1 (discover-80), as rows in their order: from the catalogue, and
 * the more from common listeners the more there are; 0 of these where chance alone would give enough, but there are fewer.
 */
export function computeNearness(
  microgenres: readonly NearMicrogenre[],
  affinities: readonly Affinity[],
): Float64Array[] {
  const correlationRanks = rankCorrelations(affinities)
  const audiences = audiencesOf(affinities)
  const commonListeners = new Map(
    affinities.map(({ microgenreId, otherId, listeners }) => [pairKey(microgenreId, otherId), listeners]),
  )
  const nearness = computeRelations(microgenres)
  for (const [i, one] of microgenres.entries())
    for (const [j, other] of microgenres.slice(0, i).entries()) {
      const pair = pairKey(one.id, other.id)
      const oneAudience = audiences.get(one.id)
      const otherAudience = audiences.get(other.id)
      const byChance =
        oneAudience && otherAudience ? Math.round(oneAudience.listeners * otherAudience.share) : 0
      const counted = Math.max(byChance, commonListeners.get(pair) ?? 0)
      const weight = counted < MIN_COMMON_LISTENERS ? 0 : counted / (counted + EVEN_LISTENERS)
      const written = nearness[i]?.[j] ?? 0
      const near = weight * (correlationRanks.get(pair) ?? 0) + (1 - weight) * written
      Object.assign(nearness[i] ?? [], { [j]: near })
      Object.assign(nearness[j] ?? [], { [i]: near })
    }
  return nearness
}

/** The places in the row of those that are nearest. */
export function findNearest(nearness: readonly Float64Array[], i: number): number[] {
  const row = nearness[i] ?? []
  return [...row.keys()]
    .filter((j) => j !== i)
    .sort((one, other) => (row[other] ?? 0) - (row[one] ?? 0))
    .slice(0, NEAREST_COUNT)
}

/**
 * What the catalogue says: how closely two are related, directly or by a third one, else a part of how alike family and
 * tags are; these alone for one without relatives.
 */
function computeRelations(microgenres: readonly NearMicrogenre[]): Float64Array[] {
  const direct = microgenres.map((one) =>
    Float64Array.from(microgenres, (other) => (one === other ? 1 : relationOf(one, other))),
  )
  const links = direct.map((row, i) => [...row.entries()].filter(([j, relation]) => j !== i && relation > 0))
  return direct.map((row, i) => {
    const indirect = new Float64Array(row.length)
    for (const [middle, relation] of links[i] ?? [])
      for (const [j, next] of links[middle] ?? [])
        indirect[j] = Math.max(indirect[j] ?? 0, relation * next * INDIRECT_WEIGHT)
    return row.map((relation, j) => {
      if (relation > 0) return relation
      const alike = tagSimilarity(microgenres[i] as NearMicrogenre, microgenres[j] as NearMicrogenre)
      const areRelated = links[i]?.length && links[j]?.length
      return areRelated ? indirect[j] || TAGS_WEIGHT * alike : alike
    })
  })
}

/**
 * The rank of each pair's correlation (phi coefficient: 0 by chance, 1 for identical audiences) among all pairs with
 * an affinity, from a half to 1, because none of these is by chance. Ranks, because correlations are too small to
 * compare with tag similarities.
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
  const ranks = new Map(
    sorted.map((correlation, place) => [correlation, (1 + (place + 1) / (sorted.length + 1)) / 2]),
  )
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
