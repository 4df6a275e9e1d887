import { Preferences } from '../../contract/onboarding.ts'
import type { Database } from '../db/connection.ts'
import type { Fit } from './recommend.ts'

/** A microgenre's tags for the questionnaire. */
export interface MicrogenreTags {
  energy: string[]
  vocals: string[]
  familiarity: string[]
  mood: string[]
}

/** The saved answers to the questionnaire; null for a listener who has not answered (onboarding-9). */
export async function readAnswers(db: Database, listener: string): Promise<Preferences | null> {
  const [row] = await db<Preferences[]>`
    select energy_preference, vocal_preference, familiarity_level, music_mood
    from preferences where user_id = ${listener}`
  return row ?? null
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
