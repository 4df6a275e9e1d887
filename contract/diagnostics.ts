import * as z from 'zod/mini'
import { getCurrentUser, Registration, returnFromReplit, signInWithReplit } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { Id, Moment, SONG_ID_PATTERNS, Song } from './shapes.ts'

/** Songs per verification batch: the default and the maximum (diagnostics-2). */
export const MAX_VERIFICATION_BATCH = 20

/** From this score of 100 on, two names match (diagnostics-7). */
export const MIN_MATCH_SCORE = 70

/** How well a video matches, from a score of 100 (diagnostics-18, desk-25). */
export function matchLevel(score: number): 'good' | 'fair' | 'poor' {
  if (score >= 80) return 'good'
  return score >= 60 ? 'fair' : 'poor'
}

/** Error text of calls and pages when artist or title is blank (diagnostics-17). */
export const MISSING_INFORMATION = 'Missing Information: Please enter both artist and title'

export const countSongs = endpoint('GET /api/songs/count', {
  access: 'diagnostics',
  summary: 'The number of songs to verify.',
  response: z.object({ total: z.int() }),
})

export const VerifiedSong = z.object({
  songId: Id,
  title: z.string(),
  artist: z.string(),
  youtubeId: z.nullable(z.string()),
  spotifyId: z.nullable(z.string()),
  /** The video exists and may be embedded. False for a song without a video. */
  youtubeAccessible: z.boolean(),
  /** Null when unknown. */
  youtubeTitle: z.nullable(z.string()),
  /** 0 to 100: how well the video's title and channel name the song. Null unless accessible (diagnostics-7). */
  qualityScore: z.nullable(z.int()),
  titleMatch: z.boolean(),
  artistMatch: z.boolean(),
  /** Why it is not accessible; null for an accessible video and for a song without one. */
  error: z.nullable(z.string()),
})
export type VerifiedSong = z.infer<typeof VerifiedSong>

export const VerificationStats = z.object({
  total: z.int(),
  accessible: z.int(),
  blocked: z.int(),
  missing: z.int(),
  goodMatches: z.int(),
  poorMatches: z.int(),
})
export type VerificationStats = z.infer<typeof VerificationStats>

export const verifyBatch = endpoint('POST /api/verify-youtube-batch', {
  access: 'diagnostics',
  summary:
    'Checks the videos of up to 20 songs from `offset` on. One batch at a time for each listener; `stats` are those of this batch (diagnostics-8, diagnostics-6).',
  body: z.object({
    /** Clamped to 1 to 20. */
    batchSize: z._default(z.number().check(z.int()), MAX_VERIFICATION_BATCH),
    offset: z._default(z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000)), 0),
  }),
  response: z.object({
    results: z.array(VerifiedSong),
    stats: VerificationStats,
    /** 0 to 100. */
    progress: z.int(),
    /** From 1. */
    currentBatch: z.int(),
    completed: z.boolean(),
  }),
})

const Configured = z.enum(['configured', 'not configured'])

export const getAuthStatus = endpoint('GET /api/test/auth-status', {
  access: 'diagnostics',
  summary:
    'Whether accounts can be read and providers are configured, without internal details (diagnostics-12).',
  response: z.object({
    database: z.enum(['connected', 'error']),
    /** Null when the database does not answer. */
    userCount: z.nullable(z.int()),
    replitAuth: Configured,
    googleAuth: Configured,
    facebookAuth: Configured,
    /** The operator's own OpenID provider. */
    openIdAuth: Configured,
    /** Whether sign-in links can be mailed. */
    emailAuth: Configured,
    /** Whether browsers allow passkeys at PUBLIC_URL (signin-20). */
    passkeyAuth: Configured,
    /** Whether people get an account by signing in (signin-16). */
    registration: Registration,
    environment: z.enum(['development', 'production']),
    authEndpoints: z.object({ login: z.string(), callback: z.string(), user: z.string() }),
  }),
})

/** The paths that the authentication testing center shows (diagnostics-11). */
export const AUTH_ENDPOINTS = {
  login: signInWithReplit.path,
  callback: returnFromReplit.path,
  user: getCurrentUser.path,
} as const

const Outcome = z.enum(['passed', 'failed'])

export const testUserCreation = endpoint('POST /api/test/user-creation', {
  access: 'diagnostics',
  summary: 'Creates an account and a session, and rolls both back (diagnostics-13).',
  response: z.object({
    userCreation: Outcome,
    authFlow: Outcome,
    overall: Outcome,
    timestamp: Moment,
  }),
})

const SearchText = z._default(z.string().check(z.trim(), z.maxLength(200, 'is too long')), '')

/** One error for a blank artist or title (diagnostics-17). */
const ArtistAndTitle = z
  .object({ artist: SearchText, title: SearchText })
  .check(z.refine(({ artist, title }) => artist !== '' && title !== '', MISSING_INFORMATION))

export const SpotifyTrack = z.object({
  trackId: z.string(),
  name: z.string(),
  artists: z.array(z.string()),
  album: z.string(),
  /** 0 to 100. Null: Spotify no longer gives it to new applications (diagnostics-19). */
  popularity: z.nullable(z.int()),
  /** 0 to 100. */
  matchScore: z.int(),
  hasPreview: z.boolean(),
  previewUrl: z.nullable(z.string()),
  albumArt: z.nullable(z.string()),
  spotifyUrl: z.string(),
})
export type SpotifyTrack = z.infer<typeof SpotifyTrack>

export const searchSpotify = endpoint('GET /api/spotify/search', {
  access: 'diagnostics',
  summary:
    'The best matching track at Spotify. `success` is false without a match or without credentials (diagnostics-19).',
  query: ArtistAndTitle,
  response: z.object({
    success: z.boolean(),
    message: z.nullable(z.string()),
    result: z.nullable(SpotifyTrack),
  }),
  fails: [502],
})

export const Replacement = z.object({
  videoId: z.string(),
  title: z.string(),
  channelTitle: z.string(),
  /** 0 to 100. */
  matchScore: z.int(),
  embeddable: z.boolean(),
})
export type Replacement = z.infer<typeof Replacement>

export const findReplacement = endpoint('POST /api/youtube/find-replacement', {
  access: 'diagnostics',
  summary:
    'The best matching embeddable video. `success` is false without a match or a key, or after the last search of the day.',
  body: ArtistAndTitle,
  response: z.object({
    success: z.boolean(),
    message: z.nullable(z.string()),
    replacement: z.nullable(Replacement),
  }),
  fails: [502],
})

export const verifyVideo = endpoint('GET /api/verify-youtube/:videoId', {
  access: 'diagnostics',
  summary: 'Whether a video exists and can be embedded. strategy=enhanced tries every way to check it.',
  params: z.object({
    videoId: z
      .string()
      .check(z.regex(SONG_ID_PATTERNS.youtubeId, 'must be a YouTube video ID of 11 characters')),
  }),
  query: z.object({ strategy: z.optional(z.string().check(z.maxLength(20, 'is too long'))) }),
  response: z.object({
    embeddable: z.boolean(),
    accessible: z.boolean(),
    /** Why it cannot be embedded. */
    error: z.nullable(z.string()),
    strategies: z.array(
      z.object({
        name: z.string(),
        success: z.boolean(),
        /** What the strategy reported, or what it needs. */
        detail: z.nullable(z.string()),
      }),
    ),
  }),
  fails: [502],
})

export const testPreviewAvailability = endpoint('GET /api/debug/test-preview-availability', {
  access: 'diagnostics',
  summary: 'How many of eight fixed tracks the preview service finds, and how many have a preview.',
  response: z.object({
    tracksFound: z.int(),
    tracksWithPreviews: z.int(),
    /** Percent of all eight tracks. */
    previewRate: z.int(),
    tracks: z.array(
      z.object({ title: z.string(), artist: z.string(), found: z.boolean(), hasPreview: z.boolean() }),
    ),
  }),
  fails: [502],
})

export const getSamples = endpoint('GET /api/debug/samples', {
  access: 'diagnostics',
  summary:
    'The fixed microgenre and songs of the playback diagnostic. Nothing is marked as heard (diagnostics-14).',
  response: z.object({
    /** Null when there are no microgenres. */
    microgenre: z.nullable(z.object({ id: Id, name: z.string() })),
    /** The first is the sample song; the working-preview test plays up to four. */
    songs: z.array(Song),
  }),
})

export const SongHealth = z.object({
  songId: Id,
  title: z.string(),
  artist: z.string(),
  youtubeId: z.string(),
  /** The video failed for several listeners: songs play the preview until it is verified again. */
  blocked: z.boolean(),
  /** Listeners whose latest attempt played, failed because of the video, or ended in the preview. */
  played: z.int(),
  failed: z.int(),
  previews: z.int(),
  /** Latest errors by the player's code: `{ "150": 3 }`. */
  errors: z.record(z.string(), z.int()),
  lastReportedAt: Moment,
})
export type SongHealth = z.infer<typeof SongHealth>

export const listPlaybackHealth = endpoint('GET /api/debug/playback-health', {
  access: 'diagnostics',
  summary: 'The videos that failed for most listeners in the last 30 days, blocked ones first; at most 50.',
  response: z.array(SongHealth),
})

export const verifySong = endpoint('POST /api/debug/playback-health/:songId/verify', {
  params: z.object({ songId: Id }),
  access: 'diagnostics',
  summary:
    'Verifies a song’s video again. If it can be embedded, it plays again and its failure reports are deleted.',
  response: z.object({ embeddable: z.boolean(), error: z.nullable(z.string()) }),
})
