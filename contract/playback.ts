import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './shapes.ts'

/** Milliseconds between two reports of listening progress, and the least gap (spec §9). */
export const PROGRESS_INTERVAL = 5000

export const searchPreview = endpoint({
  method: 'GET',
  path: '/api/music/search',
  access: 'signed-in',
  summary: 'A 30-second preview of a song. Not found, or the service is down: success is false.',
  query: z.object({
    artist: z.string().check(z.trim(), z.minLength(1, 'is missing'), z.maxLength(200, 'is too long')),
    title: z.string().check(z.trim(), z.minLength(1, 'is missing'), z.maxLength(200, 'is too long')),
    songId: z.optional(Id),
    /** The preview that was known did not play: look again. */
    fresh: z.optional(z.enum(['true', 'false'])),
  }),
  response: z.object({
    success: z.boolean(),
    message: z.nullable(z.string()),
    result: z.nullable(
      z.object({ source: z.literal('deezer'), previewUrl: z.string(), albumArt: z.nullable(z.string()) }),
    ),
  }),
})

const Seconds = z.number().check(z.minimum(0.001, 'must be above 0'), z.maximum(86_400, 'is too long'))

export const reportProgress = endpoint({
  method: 'POST',
  path: '/api/listening/progress',
  access: 'signed-in',
  summary:
    'How far a song was heard, kept as the most. Answers an achievement that was not announced yet (D-46).',
  body: z.object({ songId: Id, secondsListened: Seconds, totalDuration: Seconds }),
  response: z.object({
    achievement: z.nullable(
      z.object({ type: z.string(), metadata: z.record(z.string(), z.union([z.string(), z.number()])) }),
    ),
  }),
})
