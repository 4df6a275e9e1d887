import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Microgenre, Moment, Room, Song } from './shapes.ts'

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

/** Days for which a song is new (community-21). */
export const NEW_SONG_DAYS = 30

/** With fewer songs the figures could identify single listeners (community-22). */
export const MIN_TAIL_SONGS = 5

/** How evenly a set of songs is heard (community-20). community-21 defines plays and the least-heard half. */
export const LongTail = z.object({
  songs: z.int(),
  plays: z.int(),
  /** Plays of the least-heard half of the songs. */
  halfPlays: z.int(),
  /** Songs with fewer than five plays. */
  littleHeard: z.int(),
  /** Of these, those that are new. */
  littleHeardNew: z.int(),
  neverHeard: z.int(),
})
export type LongTail = z.infer<typeof LongTail>

export const MicrogenreTail = z.extend(LongTail, { microgenre: z.string(), color: z.string() })
export type MicrogenreTail = z.infer<typeof MicrogenreTail>

export const getLongTail = endpoint('GET /api/community/long-tail', {
  access: 'public',
  summary:
    'How evenly songs are heard, counted once an hour: for each microgenre that enough listeners have heard, and for these together (community-20).',
  response: z.object({
    /** For all microgenres with figures together; null while there are none. */
    all: z.nullable(z.extend(LongTail, { countedAt: Moment })),
    /** The least even first (community-24). */
    microgenres: z.array(MicrogenreTail),
    /** Names of the microgenres without figures (community-22). */
    withoutFigures: z.array(z.string()),
  }),
})
