import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import {
  DailyStats,
  Id,
  IdParams,
  Microgenre,
  Rating,
  RatingTime,
  RecommendedMicrogenre,
  Room,
  Seconds,
  Song,
  Success,
  TimeZone,
} from './shapes.ts'

/** Songs per prefetch, the current one included (discover-20). */
export const PREFETCH_SIZE = 5

export const listMicrogenres = endpoint('GET /api/microgenres', {
  access: 'signed-in',
  scope: 'read',
  isStable: true,
  summary:
    'All microgenres by name; `unratedCount`: songs left in the current pass. `reason`: why it is recommended as a start, else null (discover-1).',
  response: z.array(
    z.extend(Microgenre, {
      family: z.string(),
      mood: z.array(z.string()),
      unratedCount: z.int(),
      reason: z.nullable(z.string()),
    }),
  ),
})

/**
 * Why a song is dealt (discover-52): it is next in the shuffle, the microgenre's listeners like it, few have heard it,
 * it fits the listener's taste, or is like a banger of which the listener asked for more (discover-91). The database
 * stores the place in this list, from 1 on.
 */
export const DEALT_REASONS = ['shuffle', 'liked', 'rare', 'taste', 'more-like'] as const

/** 'put-off': the listener deferred the song before. */
const DEAL_REASONS = [...DEALT_REASONS, 'put-off'] as const
export const DealReason = z.enum(DEAL_REASONS)
export type DealReason = z.infer<typeof DealReason>

/** A song to rate. `putOff`: the listener deferred it with 'Not now' in this pass (discover-43). */
export const OfferedSong = z.extend(Song, { putOff: z.boolean(), reason: DealReason })
export type OfferedSong = z.infer<typeof OfferedSong>

/** What was heard of a song before its rating. */
export const HeardPortion = z.object({
  seconds: Seconds,
  source: z.enum(['video', 'audio', 'preview']),
})
export type HeardPortion = z.infer<typeof HeardPortion>

export const Prefetch = z.object({ prefetch: z.literal(true), songs: z.array(OfferedSong) })
export type Prefetch = z.infer<typeof Prefetch>

export const getNextSong = endpoint('GET /api/microgenres/:id/next-song', {
  params: IdParams,
  access: 'signed-in',
  scope: 'rate',
  isStable: true,
  summary:
    'The next unrated song of the pass, 404 when there is none; with prefetch=true up to five, never 404.',
  query: z.object({ prefetch: z.optional(z.enum(['true', 'false'])), _t: z.optional(z.string()) }),
  response: z.union([OfferedSong, Prefetch]),
})

export const rateAndAdvance = endpoint('POST /api/batch/rate-and-advance', {
  access: 'signed-in',
  scope: 'rate',
  isStable: true,
  summary:
    'Rates a song and returns the next one, with the figures that the page shows (discover-66). Repeating the same rating changes nothing (discover-14). `listeners` have rated the song; how, `room` says from five on (discover-40). `heard` is null when nothing sounded.',
  body: z.object({
    microgenreId: Id,
    songId: Id,
    rating: Rating,
    heard: z.optional(z.nullable(HeardPortion)),
    /** The time zone of `today`, which is null without it. */
    zone: z.optional(TimeZone),
  }),
  response: z.object({
    completed: z.boolean(),
    nextSong: z.nullable(OfferedSong),
    ratedAt: RatingTime,
    /** This one included. */
    listeners: z.int(),
    /** Whether the caller had not rated it in an earlier pass; missing from the previous version. */
    isFirst: z.optional(z.boolean()),
    room: z.nullable(Room),
    totals: z.object({ totalBangers: z.int(), totalRatings: z.int() }),
    today: z.nullable(DailyStats),
    /** Whether `leanTowards` is possible for the rated song; missing from the previous version. */
    canLean: z.optional(z.boolean()),
    /** Whether `checkAchievements` has something to announce. */
    unlocked: z.boolean(),
  }),
  fails: [404],
})

export const deferSong = endpoint('POST /api/batch/not-now', {
  access: 'signed-in',
  scope: 'rate',
  summary:
    'Defers a song to the end of the pass and returns the next one. `again` is its `putOff`: the second time skips it for this pass (discover-43). Idempotent. `saidAt` is null when the song is already rated.',
  body: z.object({ microgenreId: Id, songId: Id, again: z.boolean() }),
  response: z.object({
    completed: z.boolean(),
    nextSong: z.nullable(OfferedSong),
    saidAt: z.nullable(RatingTime),
  }),
  fails: [404],
})

export const undoDefer = endpoint('DELETE /api/batch/not-now/:songId', {
  params: z.object({ songId: Id }),
  access: 'signed-in',
  scope: 'rate',
  summary: "Undoes the 'Not now' that `saidAt` identifies. Idempotent.",
  query: z.object({ saidAt: RatingTime }),
  response: Success,
})

export const leanTowards = endpoint('PUT /api/songs/:id/more-like-this', {
  params: IdParams,
  access: 'signed-in',
  summary:
    "The songs to come in this pass lean towards a banger of the pass (discover-91). 409 for other songs, songs without traits, and a listener's plain shuffle. Idempotent.",
  response: Success,
  fails: [404, 409],
})

export const stopLeaning = endpoint('DELETE /api/songs/:id/more-like-this', {
  params: IdParams,
  access: 'signed-in',
  summary: 'Undoes `leanTowards`. Idempotent.',
  response: Success,
})

export const restartMicrogenre = endpoint('DELETE /api/microgenres/:id/progress', {
  params: IdParams,
  access: 'signed-in',
  summary: 'Begins a new pass through the microgenre. Ratings and achievements stay (discover-26).',
  response: Success,
})

const TitleAndArtist = z.object({ title: z.string(), artist: z.string() })

export const getSongExplanation = endpoint('GET /api/songs/:id/why', {
  params: IdParams,
  access: 'signed-in',
  summary:
    "At most two of the caller's bangers that best explain a song that was dealt by taste; none for other songs (discover-65). `moreLike`: the banger of which the caller asked for more, if it comes for that (discover-91).",
  response: z.object({ bangers: z.array(TitleAndArtist), moreLike: z.nullable(TitleAndArtist) }),
})

/** Suggestions on completion (discover-28). */
export const NEXT_MICROGENRES_LIMIT = 4

export const listNextMicrogenres = endpoint('GET /api/microgenres/suggestions', {
  access: 'signed-in',
  summary:
    'Microgenres with unrated songs to continue with after `exclude`, by what listeners bang; `reason` says why (discover-46).',
  query: z.object({
    exclude: z.optional(Id),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(20)), NEXT_MICROGENRES_LIMIT),
  }),
  response: z.array(RecommendedMicrogenre),
})

/** A microgenre on the map, with the caller's own ratings in it. */
export const MappedMicrogenre = z.object({
  id: Id,
  name: z.string(),
  family: z.string(),
  description: z.string(),
  /** `#rrggbb` */
  color: z.string(),
  songCount: z.int(),
  /** The place: neighbours are about 1 apart, and no two are nearer than 0.6 (discover-80). */
  x: z.number(),
  y: z.number(),
  /** The three nearest, the nearest first. */
  near: z.array(Id),
  ratings: z.int(),
  bangers: z.int(),
})
export type MappedMicrogenre = z.infer<typeof MappedMicrogenre>

export const getMap = endpoint('GET /api/microgenres/map', {
  access: 'signed-in',
  summary:
    'The map of microgenres, by name: microgenres that the same listeners like, or that are related, are close (discover-80). `ratings` and `bangers` are those of the caller.',
  response: z.array(MappedMicrogenre),
})
