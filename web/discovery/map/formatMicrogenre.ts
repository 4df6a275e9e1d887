import type { MappedMicrogenre } from '../../../contract/discovery.ts'
import { formatCount } from '../../../contract/formatCount.ts'
import { isolateName } from '../../../contract/isolateName.ts'

type Figures = Pick<MappedMicrogenre, 'bangers' | 'ratings' | 'songCount'>

/** The listener's own figures: '3 bangers of 8 rated, 22 songs' (discover-84). */
export function formatFigures({ bangers, ratings, songCount }: Figures): string {
  const songs = formatCount(songCount, 'song')
  return ratings === 0
    ? `Nothing rated yet, ${songs}`
    : `${formatCount(bangers, 'banger')} of ${ratings} rated, ${songs}`
}

/** How many microgenres the listener has rated a song of (discover-83). */
export const countExplored = (microgenres: readonly Figures[]) =>
  microgenres.filter(({ ratings }) => ratings > 0).length

/** 'Near: dream pop, slowcore, noise pop' (discover-88). */
export const formatNeighbours = (neighbours: readonly { name: string }[]) =>
  `Near: ${neighbours.map(({ name }) => isolateName(name)).join(', ')}`

export function groupByFamily<M extends { family: string }>(microgenres: readonly M[]): [string, M[]][] {
  const families = new Map<string, M[]>()
  for (const microgenre of microgenres)
    families.set(microgenre.family, [...(families.get(microgenre.family) ?? []), microgenre])
  return [...families]
}

/** The nearest ones (discover-86), without any that is not on this map. The server before this version tells none. */
export const nearestNeighbours = (
  microgenres: readonly MappedMicrogenre[],
  { near }: Partial<MappedMicrogenre>,
) => (near ?? []).flatMap((id) => microgenres.find((one) => one.id === id) ?? [])
