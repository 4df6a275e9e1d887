import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const getCover = endpoint('GET /covers/:cover', {
  params: z.object({ cover: z.string() }),
  access: 'public',
  summary:
    'The cover of a song as WebP: `{songId}-160.webp`, or 320 or 640 pixels wide and high. 404 when there is none, or not yet (playback-63).',
  answers: 'file',
})
