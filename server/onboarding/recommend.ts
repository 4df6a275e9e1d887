import type { Preferences } from '../../contract/onboarding.ts'

/** A microgenre's tags for the questionnaire. */
export interface TaggedMicrogenre {
  name: string
  energy: string[]
  vocals: string[]
  familiarity: string[]
  mood: string[]
}

const LEAST = 3
const MOST = 5

/**
 * The three to five microgenres that match the answers best (onboarding-5): one point for each of the four answers
 * that is among its tags, where 'mixed' and 'both' match all; ties by name. A fourth and fifth only when they match
 * as well as the third.
 */
export function recommend<T extends TaggedMicrogenre>(microgenres: T[], answers: Preferences): T[] {
  const scored = microgenres
    .map((microgenre) => ({ microgenre, score: score(microgenre, answers) }))
    .sort((a, b) => b.score - a.score || compareNames(a.microgenre.name, b.microgenre.name))
  const third = scored[LEAST - 1]
  return scored
    .slice(0, MOST)
    .filter(({ score }, index) => index < LEAST || score === third?.score)
    .map(({ microgenre }) => microgenre)
}

function score(microgenre: TaggedMicrogenre, answers: Preferences): number {
  return [
    answers.energyPreference === 'mixed' || microgenre.energy.includes(answers.energyPreference),
    answers.vocalPreference === 'both' || microgenre.vocals.includes(answers.vocalPreference),
    microgenre.familiarity.includes(answers.familiarityLevel),
    microgenre.mood.includes(answers.musicMood),
  ].filter(Boolean).length
}

/** The same order on every machine, whatever its locale. */
function compareNames(a: string, b: string): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()]
  return one < other ? -1 : Number(one > other)
}
