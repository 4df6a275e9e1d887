import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, Microgenre } from './shapes.ts'

export const TrendingSong = z.object({
  id: Id,
  title: z.string(),
  artist: z.string(),
  albumArt: z.nullable(z.string()),
  /** Its microgenre's name. */
  microgenre: z.string(),
  /** Its microgenre's colour, `#rrggbb`. */
  color: z.string(),
  bangerCount: z.int(),
})
export type TrendingSong = z.infer<typeof TrendingSong>

export const getCommunityStats = endpoint({
  method: 'GET',
  path: '/api/community/stats',
  access: 'signed-in',
  summary: 'Totals of all listeners, up to two seconds old (community-4).',
  response: z.object({ totalBangers: z.int(), activeUsers: z.int(), totalRatings: z.int() }),
})

export const listTrending = endpoint({
  method: 'GET',
  path: '/api/community/trending',
  access: 'signed-in',
  summary: 'Songs by bangers of the last 30 days, then of all time, then the most recent one; at most 20.',
  response: z.array(TrendingSong),
})

export const listMicrogenreStats = endpoint({
  method: 'GET',
  path: '/api/microgenres/stats',
  access: 'signed-in',
  summary: 'Microgenres by bangers over all listeners; at most 20.',
  response: z.array(Microgenre),
})
