import * as contract from '../../contract/onboarding.ts'
import type { Context } from '../context.ts'
import { readAnswers } from '../discovery/answers.ts'
import { type Route, route } from '../http/route.ts'
import { recommendMicrogenres, savePreferences } from './preferences.ts'

export const onboardingRoutes: Route<Context>[] = [
  route(contract.getPreferences, ({ user }, { db }: Context) => readAnswers(db, user.id)),

  route(contract.savePreferences, ({ user, body }, { db }: Context) => savePreferences(db, user.id, body)),

  route(contract.recommendMicrogenres, async ({ user, query }, { db }: Context) => ({
    recommendedMicrogenres: await recommendMicrogenres(db, user.id, query),
  })),
]
