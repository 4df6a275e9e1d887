import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { IdParams } from './shapes.ts'

export const getSongExplanation = endpoint('GET /api/songs/:id/why', {
  params: IdParams,
  access: 'signed-in',
  summary:
    "The caller's bangers, two at most, that speak most for a song that was dealt because it fits what they banged before; none for other songs (discover-65).",
  response: z.object({ bangers: z.array(z.object({ title: z.string(), artist: z.string() })) }),
})
