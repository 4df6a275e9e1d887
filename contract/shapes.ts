import * as z from 'zod/mini'

/* The shapes of spec §3 that more than one call speaks of. Absent values are null, never left out (D-90). */

/** Opaque to the browser; a positive whole number to the database. */
export const Id = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'must be an id'))

/** The path's `id`. */
export const ById = z.object({ id: Id })

/** A moment, as ISO 8601 in UTC. */
export const Moment = z.string()

/** When a rating was given, to the microsecond: it tells one rating of a song from the next. */
export const RatingTime = z
  .string()
  .check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/, 'must be a time that an answer gave'))

export const Message = z.object({ message: z.string() })

export const Rating = z.enum(['banger', 'bust'])
export type Rating = z.infer<typeof Rating>

export const Song = z.object({
  id: Id,
  title: z.string(),
  artist: z.string(),
  year: z.nullable(z.int()),
  albumArt: z.nullable(z.string()),
  youtubeId: z.nullable(z.string()),
  /** The video failed for several listeners: the preview comes first. */
  youtubeBlocked: z.boolean(),
  spotifyId: z.nullable(z.string()),
  /** A preview address, once one was found; it may have expired (D-43). */
  deezerId: z.nullable(z.string()),
  /** Seconds. */
  duration: z.nullable(z.number()),
  /** Its microgenre's name. */
  microgenre: z.string(),
  microgenreId: Id,
  /** Its microgenre's colour, `#rrggbb`. */
  color: z.string(),
})
export type Song = z.infer<typeof Song>

export const Microgenre = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  color: z.string(),
  bangerCount: z.int(),
  songCount: z.int(),
})
export type Microgenre = z.infer<typeof Microgenre>

export const AchievementType = z.enum([
  'first_banger',
  'microgenre_master',
  'streak_5',
  'streak_10',
  'streak_25',
  'explorer',
  'critic',
  'enthusiast',
])
export type AchievementType = z.infer<typeof AchievementType>

/** `type` is text on the wire: a newer server may know more of them than this page does. */
export const Achievement = z.object({
  id: Id,
  type: z.string(),
  metadata: z.record(z.string(), z.union([z.string(), z.number()])),
  createdAt: Moment,
})
export type Achievement = z.infer<typeof Achievement>

/** Empty answers to calls whose success is all there is to say. */
export const Done = z.object({ success: z.boolean() })
