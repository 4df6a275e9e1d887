import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Achievement, Id, Seconds, SONG_ID_PATTERNS, Success } from './shapes.ts'

/** Milliseconds between two reports of listening progress (playback-19). */
export const PROGRESS_INTERVAL = 5000

export const PreviewAnswer = z.object({
  success: z.boolean(),
  message: z.nullable(z.string()),
  result: z.nullable(
    z.object({ source: z.literal('deezer'), previewUrl: z.string(), albumArt: z.nullable(z.string()) }),
  ),
})
export type PreviewAnswer = z.infer<typeof PreviewAnswer>

export const searchPreview = endpoint('GET /api/music/search', {
  access: 'signed-in',
  summary: 'A 30-second preview of a song. `success` is false when there is none or the service is down.',
  query: z.object({
    artist: z.string().check(z.trim(), z.minLength(1, 'is missing'), z.maxLength(200, 'is too long')),
    title: z.string().check(z.trim(), z.minLength(1, 'is missing'), z.maxLength(200, 'is too long')),
    songId: z.optional(Id),
    /** The known preview failed: search again. */
    fresh: z.optional(z.enum(['true', 'false'])),
  }),
  response: PreviewAnswer,
})

export const reportProgress = endpoint('POST /api/listening/progress', {
  access: 'signed-in',
  summary:
    'Records how far a song was heard; the maximum is stored. Returns an achievement not announced for ten seconds (playback-20).',
  body: z.object({ songId: Id, secondsListened: Seconds, totalDuration: Seconds }),
  response: z.object({
    achievement: z.nullable(z.pick(Achievement, { type: true, metadata: true })),
  }),
  fails: [404],
})

/** Reports per call, and the maximum that a page queues. */
export const MAX_REPORTS_PER_CALL = 20

/**
 * The latest outcome of a song's video: it played, or the code of an error (playback-12). `preview`: no response
 * within the timeout.
 */
export const PLAYBACK_OUTCOMES = ['ready', '2', '5', '100', '101', '150', '153', 'preview'] as const
const PlaybackOutcome = z.enum(PLAYBACK_OUTCOMES)
export type PlaybackOutcome = z.infer<typeof PlaybackOutcome>

/** Errors of the video itself: invalid, deleted, not embeddable. The others may affect only one page or browser. */
export const VIDEO_FAULTS: readonly PlaybackOutcome[] = ['2', '100', '101', '150']

export const PlaybackReport = z.object({
  songId: Id,
  /** The video that was tried; reports on a video that the song no longer has are ignored. */
  videoId: z.string().check(z.regex(SONG_ID_PATTERNS.youtubeId, 'must be a video id')),
  outcome: PlaybackOutcome,
  /** Whether the preview played instead. */
  previewUsed: z.boolean(),
})
export type PlaybackReport = z.infer<typeof PlaybackReport>

export const reportPlayback = endpoint('POST /api/playback/reports', {
  access: 'signed-in',
  summary:
    'Reports whether videos played. A video that failed for several listeners is skipped until it is verified again.',
  body: z.object({
    reports: z
      .array(PlaybackReport)
      .check(z.minLength(1, 'is empty'), z.maxLength(MAX_REPORTS_PER_CALL, 'has too many items')),
  }),
  response: Success,
})
