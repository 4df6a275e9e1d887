import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PreviewAnswer } from './playback.ts'
import { IdParams, Song } from './shapes.ts'

/* What people without an account hear and rate (visitors-1). With VISITORS=off these calls do not exist. */

export const VisitorSong = z.extend(
  z.pick(Song, {
    id: true,
    title: true,
    artist: true,
    albumArt: true,
    youtubeId: true,
    youtubeBlocked: true,
    audio: true,
  }),
  { microgenre: z.object({ key: z.string(), name: z.string(), color: z.string() }) },
)
export type VisitorSong = z.infer<typeof VisitorSong>

export const getVisitorPreview = endpoint('GET /api/visitors/songs/:id/preview', {
  params: IdParams,
  access: 'public',
  summary:
    'A 30-second preview of a song. Whatever the number of visitors, a song is looked up at most once in 15 minutes (visitors-3).',
  response: PreviewAnswer,
})
