import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, RecommendedMicrogenre } from './shapes.ts'

/** Suggestions on completion (discover-28). */
export const NEXT_MICROGENRES_LIMIT = 4

export const listNextMicrogenres = endpoint('GET /api/microgenres/suggestions', {
  access: 'signed-in',
  summary:
    'Microgenres with unrated songs to continue with after `exclude`, by what listeners bang; `reason` says why (discover-46).',
  query: z.object({
    exclude: z.optional(Id),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(20)), NEXT_MICROGENRES_LIMIT),
  }),
  response: z.array(RecommendedMicrogenre),
})
