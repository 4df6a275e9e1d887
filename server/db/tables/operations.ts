import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'

/* What the server processes share besides the product's own data. */

/** Counters of the limits that must hold over all processes. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('rate_limits_expires_at').on(t.expiresAt)],
)

/** Answers of outside services, kept for a while. */
export const providerCache = pgTable(
  'provider_cache',
  {
    provider: text('provider').notNull(),
    key: text('key').notNull(),
    value: jsonb('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.key] }), index('provider_cache_expires_at').on(t.expiresAt)],
)

/** Calls a day to services that give a budget. */
export const providerQuotas = pgTable(
  'provider_quotas',
  {
    provider: text('provider').notNull(),
    day: date('day').notNull(),
    used: integer('used').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.provider, t.day] })],
)

/** What listeners' players saw of a song: the latest outcome of each listener, so that one alone blocks nothing. */
export const playbackReports = pgTable(
  'playback_reports',
  {
    songId: id('song_id').notNull(),
    userId: id('user_id').notNull(),
    /** What is known of another video says nothing of the one that the song has now. */
    videoId: text('video_id'),
    outcome: text('outcome').notNull(),
    previewUsed: boolean('preview_used').notNull().default(false),
    reportedAt: instant('reported_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.songId, t.userId] }),
    index('playback_reports_user_id_reported_at').on(t.userId, t.reportedAt),
    index('playback_reports_song_id_reported_at').on(t.songId, t.reportedAt),
    index('playback_reports_errors').on(t.songId).where(sql`${t.outcome} not in ('ready', 'preview')`),
  ],
)
