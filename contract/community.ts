import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Microgenre, Room, Song } from './shapes.ts'

export const TrendingSong = z.extend(Song, { bangerCount: z.int() })
export type TrendingSong = z.infer<typeof TrendingSong>

/** `room` is null unless the caller has rated the song in this pass (community-17). */
export const DividedSong = z.extend(Song, { room: z.nullable(Room) })
export type DividedSong = z.infer<typeof DividedSong>

export const getCommunityStats = endpoint('GET /api/community/stats', {
  access: 'signed-in',
  summary: 'Totals of all listeners, up to two seconds old (community-4).',
  response: z.object({ totalBangers: z.int(), activeUsers: z.int(), totalRatings: z.int() }),
})

export const listTrending = endpoint('GET /api/community/trending', {
  access: 'signed-in',
  summary: 'Songs by bangers of the last 30 days, then of all time, then the most recent one; at most 20.',
  response: z.array(TrendingSong),
})

export const listDivided = endpoint('GET /api/community/divided', {
  access: 'signed-in',
  summary:
    'Songs whose listeners are nearest to half bangers, half busts, from five raters on; at most 20. `room` is null unless the caller has rated the song in this pass (community-17).',
  response: z.array(DividedSong),
})

export const listMicrogenreStats = endpoint('GET /api/microgenres/stats', {
  access: 'signed-in',
  summary: 'Microgenres by bangers over all listeners; at most 20.',
  response: z.array(Microgenre),
})
