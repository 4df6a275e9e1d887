import type { Preferences } from '../../contract/onboarding.ts'
import type { RecommendedMicrogenre } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'
import { fitToAnswers } from '../discovery/answers.ts'
import { readMicrogenres } from '../discovery/microgenres.ts'
import { recommend } from '../discovery/recommend.ts'

export async function savePreferences(
  db: Database,
  listener: string,
  answers: Preferences,
): Promise<Preferences> {
  await db`
    insert into preferences (user_id, energy_preference, vocal_preference, familiarity_level, music_mood)
    values (${listener}, ${answers.energyPreference}, ${answers.vocalPreference},
            ${answers.familiarityLevel}, ${answers.musicMood})
    on conflict (user_id) do update set
      energy_preference = excluded.energy_preference, vocal_preference = excluded.vocal_preference,
      familiarity_level = excluded.familiarity_level, music_mood = excluded.music_mood, updated_at = now()`
  return answers
}

/** The same answers of a listener always give the same result. Never empty while there are microgenres with songs. */
export async function recommendMicrogenres(
  db: Database,
  listener: string,
  answers: Preferences,
): Promise<RecommendedMicrogenre[]> {
  return recommend(await readMicrogenres(db, listener), {
    limit: RECOMMENDATION_COUNT,
    isEligible: () => true,
    rankBy: 'fit',
    fitOf: (microgenre) => fitToAnswers(microgenre, answers),
    seed: [listener, ...Object.values(answers)].join(' '),
  })
}

/** Including a hardly explored one (onboarding-5). */
const RECOMMENDATION_COUNT = 4
