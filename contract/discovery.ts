import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Done, Id, Microgenre, Rating, RatingTime, Room, Song } from './shapes.ts'

/** Songs per prefetch, the current one included (discover-20). */
export const PREFETCH_SIZE = 5

/** Suggestions on completion (discover-28). */
export const SUGGESTION_LIMIT = 4

export const listMicrogenres = endpoint({
  method: 'GET',
  path: '/api/microgenres',
  access: 'signed-in',
  summary: 'All microgenres by name; `unratedCount` is the number of unrated songs in the current pass.',
  response: z.array(
    z.extend(Microgenre, { family: z.string(), mood: z.array(z.string()), unratedCount: z.int() }),
  ),
})

export const suggestMicrogenres = endpoint({
  method: 'GET',
  path: '/api/microgenres/suggestions',
  access: 'signed-in',
  summary: 'Microgenres with unrated songs to continue with after `exclude`, the most similar first.',
  query: z.object({
    exclude: z.optional(Id),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(20)), SUGGESTION_LIMIT),
  }),
  response: z.array(Microgenre),
})

export const Prefetch = z.object({ prefetch: z.literal(true), songs: z.array(Song) })

export const getNextSong = endpoint({
  method: 'GET',
  path: '/api/microgenres/:id/next-song',
  params: ById,
  access: 'signed-in',
  summary:
    'The next unrated song of the pass, 404 when there is none; with prefetch=true up to five, never 404.',
  query: z.object({ prefetch: z.optional(z.enum(['true', 'false'])), _t: z.optional(z.string()) }),
  response: z.union([Song, Prefetch]),
})

export const rateAndAdvance = endpoint({
  method: 'POST',
  path: '/api/batch/rate-and-advance',
  access: 'signed-in',
  summary:
    'Rates a song and returns the next one. Repeating the same rating changes nothing (discover-14). `room` is null before five listeners have rated the song (discover-40).',
  body: z.object({ microgenreId: Id, songId: Id, rating: Rating }),
  response: z.object({
    completed: z.boolean(),
    nextSong: z.nullable(Song),
    ratedAt: RatingTime,
    room: z.nullable(Room),
  }),
  fails: [404],
})

export const restartMicrogenre = endpoint({
  method: 'DELETE',
  path: '/api/microgenres/:id/progress',
  params: ById,
  access: 'signed-in',
  summary: 'Begins a new pass through the microgenre. Ratings and achievements stay (discover-26).',
  response: Done,
})
