import * as z from 'zod/mini'

/* Shapes that several calls share. Absent values are null, never left out (calls-7). */

/** Opaque to clients; a positive integer in the database. */
export const Id = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'must be an id'))

export const IdParams = z.object({ id: Id })

/** A moment, as ISO 8601 in UTC. */
export const Moment = z.string()

/** A `Moment` in a request. */
export const MomentInput = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'must be a time from a response'),
  z.refine((time) => !Number.isNaN(Date.parse(time)), 'must be a time from a response'),
)

/** Where a page of a list ends; opaque to clients. */
export const PageCursor = z
  .string()
  .check(z.regex(/^\d{1,16}-[1-9]\d{0,17}$/, 'must be from the link of a page'))

/** When a rating was given. The microseconds distinguish ratings of the same song. */
export const RatingTime = z
  .string()
  .check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/, 'must be a time from a response'))

export const Message = z.object({ message: z.string() })

export const Rating = z.enum(['banger', 'bust'])
export type Rating = z.infer<typeof Rating>

/** A song's figures are shown from this many raters on. Fewer would reveal single ratings (discover-40). */
export const MIN_LISTENERS = 5

/** How many listeners have rated a song, and how many of them a banger. */
export const Room = z.object({ listeners: z.int(), bangers: z.int() })
export type Room = z.infer<typeof Room>

/** What the listener rated today, in the listener's time zone (discover-17). */
export const DailyStats = z.object({ dailyBangers: z.int(), dailyRatings: z.int() })

/** An IANA time zone; an unknown one counts as UTC. */
export const TimeZone = z.string().check(z.maxLength(64))

/** Seconds of a song. PostgreSQL refuses smaller values, which underflow its `real`. */
export const [MIN_SECONDS, MAX_SECONDS] = [0.001, 86_400]
export const Seconds = z
  .number()
  .check(z.minimum(MIN_SECONDS, 'must be above 0'), z.maximum(MAX_SECONDS, 'is too long'))

/** A whole recording at an https address, with what its licence asks to be shown (playback-28). */
export const WholeAudio = z.object({
  url: z.string(),
  /** The address of a licence of Creative Commons. */
  licence: z.string(),
  attribution: z.string(),
})
export type WholeAudio = z.infer<typeof WholeAudio>

export const Song = z.object({
  id: Id,
  title: z.string(),
  artist: z.string(),
  year: z.nullable(z.int()),
  /** An address; the part after `#` is that of the fallback. */
  albumArt: z.nullable(z.string()),
  youtubeId: z.nullable(z.string()),
  /** The video failed for several listeners: play the preview first. */
  youtubeBlocked: z.boolean(),
  spotifyId: z.nullable(z.string()),
  /** A preview address that has not expired, once found (playback-15). */
  deezerId: z.nullable(z.string()),
  deezerTrackId: z.nullable(z.string()),
  /** A whole recording that is not known to be dead. */
  audio: z.nullable(WholeAudio),
  /** Seconds. */
  duration: z.nullable(z.number()),
  microgenre: z.string(),
  microgenreId: Id,
  /** Its microgenre's colour, `#rrggbb`. */
  color: z.string(),
})
export type Song = z.infer<typeof Song>

/** The ids of songs at outside services. */
export const SONG_ID_PATTERNS = {
  youtubeId: /^[\w-]{11}$/,
  spotifyId: /^[A-Za-z0-9]{22}$/,
  deezerTrackId: /^[1-9]\d{0,14}$/,
  recordingMbid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
} as const

export const Microgenre = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  color: z.string(),
  bangerCount: z.int(),
  songCount: z.int(),
})
export type Microgenre = z.infer<typeof Microgenre>

/** `reason` is the sentence that says why it is recommended (discover-47). */
export const RecommendedMicrogenre = z.extend(Microgenre, { reason: z.string() })
export type RecommendedMicrogenre = z.infer<typeof RecommendedMicrogenre>

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

/** `type` is a string because a newer server may know more types than this page. */
export const Achievement = z.object({
  id: Id,
  type: z.string(),
  /** What is stored may be null. */
  metadata: z.nullable(z.record(z.string(), z.union([z.string(), z.number()]))),
  createdAt: Moment,
})
export type Achievement = z.infer<typeof Achievement>

/** For calls that return nothing but success. */
export const Success = z.object({ success: z.boolean() })
