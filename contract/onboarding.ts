import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { RecommendedMicrogenre } from './shapes.ts'

/** The four answers of the questionnaire (onboarding-2). */
export const Preferences = z.object({
  energyPreference: z.enum(['slow', 'fast', 'weird', 'mixed']),
  vocalPreference: z.enum(['vocal', 'instrumental', 'both']),
  familiarityLevel: z.enum(['mainstream', 'indie', 'obscure']),
  musicMood: z.enum(['ambient', 'emotional', 'rhythmic', 'experimental']),
})
export type Preferences = z.infer<typeof Preferences>

export const getPreferences = endpoint('GET /api/users/me/preferences', {
  access: 'signed-in',
  summary: 'The saved answers, or null (onboarding-9).',
  response: z.nullable(Preferences),
})

export const savePreferences = endpoint('POST /api/users/me/preferences', {
  access: 'signed-in',
  summary: 'Saves the answers and replaces older ones.',
  body: Preferences,
  response: Preferences,
})

export const recommendMicrogenres = endpoint('GET /api/questionnaire/recommendations', {
  access: 'signed-in',
  summary:
    'Three microgenres that fit the four answers best, and one that is hardly explored (onboarding-5).',
  query: Preferences,
  response: z.object({ recommendedMicrogenres: z.array(RecommendedMicrogenre) }),
})
