import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './shapes.ts'

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
