import type { MicrogenreTags } from './answers.ts'
import type { Fit } from './recommend.ts'

/** A microgenre's name, family and tags. */
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

export const tagsOf = ({ energy, vocals, mood, familiarity }: MicrogenreTags) => [
  ...energy,
  ...vocals,
  ...mood,
  ...familiarity,
]

const listFormat = new Intl.ListFormat('en-GB')

const capitalise = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1)
