import { hash } from 'node:crypto'
import { Preferences } from '../../contract/onboarding.ts'

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

/** In order: of a familiarity that does not match, the next level is nearer than the far one. */
const LEVELS: readonly string[] = Preferences.shape.familiarityLevel.options

/**
 * The three to five microgenres that match the answers best (onboarding-5): one point for each of the four answers
 * that is among its tags, where 'mixed' and 'both' match all. Among those with as many points, nearness and chance
 * decide; the same seed and answers give the same list. A fourth and fifth only when they have as many points as the
 * third.
 */
export function recommend<T extends TaggedMicrogenre>(
  microgenres: T[],
  answers: Preferences,
  seed: string,
): T[] {
  const { energyPreference, vocalPreference, familiarityLevel, musicMood } = answers
  const draw = [seed, energyPreference, vocalPreference, familiarityLevel, musicMood].join(' ')
  const ranked = microgenres
    .map((microgenre) => ({
      microgenre,
      points: points(microgenre, answers),
      rank: nearness(microgenre, answers) + chance(`${draw} ${microgenre.name}`),
    }))
    .sort((a, b) => b.points - a.points || b.rank - a.rank)
  const third = ranked[LEAST - 1]
  return ranked
    .slice(0, MOST)
    .filter(({ points }, index) => index < LEAST || points === third?.points)
    .map(({ microgenre }) => microgenre)
}

function points(microgenre: TaggedMicrogenre, answers: Preferences): number {
  return [
    answers.energyPreference === 'mixed' || microgenre.energy.includes(answers.energyPreference),
    answers.vocalPreference === 'both' || microgenre.vocals.includes(answers.vocalPreference),
    microgenre.familiarity.includes(answers.familiarityLevel),
    microgenre.mood.includes(answers.musicMood),
  ].filter(Boolean).length
}

/** From 0 to 4. A tag that stands alone says more than one of several. */
function nearness(microgenre: TaggedMicrogenre, answers: Preferences): number {
  return (
    share(microgenre.energy, answers.energyPreference) +
    share(microgenre.vocals, answers.vocalPreference) +
    (share(microgenre.familiarity, answers.familiarityLevel) ||
      (isNextLevel(microgenre.familiarity, answers.familiarityLevel) ? 0.25 : 0)) +
    share(microgenre.mood, answers.musicMood)
  )
}

const share = (tags: string[], answer: string) => (tags.includes(answer) ? 1 / tags.length : 0)

const isNextLevel = (tags: string[], answer: string) =>
  tags.some((tag) => Math.abs(LEVELS.indexOf(tag) - LEVELS.indexOf(answer)) === 1)

/** From 0 to 1, so that luck counts as much as one answer. The same for the same text. */
const chance = (text: string) => hash('sha256', text, 'buffer').readUInt32BE() / 2 ** 32
