import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { IdParams } from './shapes.ts'

export const getSongExplanation = endpoint('GET /api/songs/:id/why', {
  params: IdParams,
  access: 'signed-in',
  summary:
    "At most two of the caller's bangers that best explain a song that was dealt by taste; none for other songs (discover-65).",
  response: z.object({ bangers: z.array(z.object({ title: z.string(), artist: z.string() })) }),
})
