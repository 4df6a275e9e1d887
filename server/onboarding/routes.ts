import * as contract from '../../contract/onboarding.ts'
import type { RecommendedMicrogenre } from '../../contract/shapes.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import { likedAmong, readAnswers, readMicrogenres } from '../discovery/microgenres.ts'
import { type Route, route } from '../http/route.ts'
import { addRelation, fitToAnswers, NO_FIT, recommend } from '../taste/recommend.ts'

export const onboardingRoutes: Route<Context>[] = [
  route(contract.getPreferences, ({ user }, { db }: Context) => readAnswers(db, user.id)),

  route(contract.savePreferences, ({ user, body }, { db }: Context) => savePreferences(db, user.id, body)),

  route(contract.recommendMicrogenres, async ({ user, query }, { db }: Context) => ({
    recommendedMicrogenres: await recommendMicrogenres(db, user.id, query),
  })),
]

export async function savePreferences(
  db: Database,
  listener: string,
  answers: contract.Preferences,
): Promise<contract.Preferences> {
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
async function recommendMicrogenres(
  db: Database,
  listener: string,
  answers: contract.Preferences,
): Promise<RecommendedMicrogenre[]> {
  const all = await readMicrogenres(db, listener)
  const liked = likedAmong(all)
  return recommend(all, {
    limit: RECOMMENDATION_COUNT,
    isEligible: () => true,
    rankBy: 'fit',
    fitOf: (microgenre) => ({
      ...fitToAnswers(microgenre, answers),
      relation: addRelation(NO_FIT, microgenre, liked).relation,
    }),
    seed: [listener, ...Object.values(answers)].join(' '),
  })
}

/** Including a hardly explored one (onboarding-5). */
const RECOMMENDATION_COUNT = 4
