import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'

/* State that server processes share besides the product's data. */

/** Counters of limits over all processes. The table is unlogged, so that no use waits for the disk; a crash empties it. */
export const limitCounters = pgTable(
  'limit_counters',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('limit_counters_expires_at').on(t.expiresAt)],
)

/** Used passkey challenges and locks, over all processes. The version before also counts the uses of limits here. */
export const claims = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    /** 1, and 2 when the work of a claim has ended. The version before counts attempts, and takes the first for the claim. */
    count: integer('count').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('rate_limits_expires_at').on(t.expiresAt)],
)

/** Cached answers of outside services. */
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

/** Calls per day to services with a daily budget. */
export const providerQuotas = pgTable(
  'provider_quotas',
  {
    provider: text('provider').notNull(),
    day: date('day').notNull(),
    used: integer('used').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.provider, t.day] })],
)

/** When services are asked: all processes take turns (catalogue-10). */
export const serviceTurns = pgTable('service_turns', {
  service: text('service').primaryKey(),
  /** The last turns in order, as many as the service's limit. */
  turns: instant('turns').array().notNull(),
  /** The end of a pause that the service asked for. */
  heldUntil: instant('held_until'),
})

/** When the server may grow a microgenre again (catalogue-16). */
export const microgenreGrowth = pgTable('microgenre_growth', {
  microgenreId: id('microgenre_id').primaryKey(),
  nextAt: instant('next_at').notNull(),
})

/** Jobs of all processes (`process/runJobs.ts`): when each is due, who runs it, and how its last runs ended. */
export const jobs = pgTable('jobs', {
  name: text('name').primaryKey(),
  nextRunAt: instant('next_run_at').notNull().defaultNow(),
  /** The process that runs it has the token; null between two runs. */
  leaseToken: uuid('lease_token'),
  leaseUntil: instant('lease_until').notNull().defaultNow(),
  startedAt: instant('started_at'),
  succeededAt: instant('succeeded_at'),
  /** How long the last successful run took. */
  durationMs: integer('duration_ms'),
  /** Failed runs since the last successful one. */
  failures: integer('failures').notNull().default(0),
  failedAt: instant('failed_at'),
  error: text('error'),
})

/** Playback reports: each listener's latest outcome of a song, so that one listener alone blocks nothing. */
export const playbackReports = pgTable(
  'playback_reports',
  {
    songId: id('song_id').notNull(),
    userId: id('user_id').notNull(),
    /** A report on another video does not apply to the song's current one. */
    videoId: text('video_id'),
    outcome: text('outcome').notNull(),
    previewUsed: boolean('preview_used').notNull().default(false),
    reportedAt: instant('reported_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.songId, t.userId] }),
    index('playback_reports_user_id_reported_at').on(t.userId, t.reportedAt),
    index('playback_reports_song_id_reported_at').on(t.songId, t.reportedAt),
    index('playback_reports_reported_at').on(t.reportedAt),
    index('playback_reports_errors').on(t.songId).where(sql`${t.outcome} not in ('ready', 'preview')`),
  ],
)

/** Backups of the last three months. One that was killed has no end. */
export const backups = pgTable('backups', {
  run: integer('run').primaryKey().generatedAlwaysAsIdentity(),
  /** Whether it is in BACKUP_DIR, as the server's own are. Others were written by hand. */
  scheduled: boolean('scheduled').notNull(),
  /** The name of the machine that has the file. */
  machine: text('machine').notNull(),
  startedAt: instant('started_at').notNull().defaultNow(),
  endedAt: instant('ended_at'),
  file: text('file').notNull(),
  /** Null until it is written. */
  bytes: bigint('bytes', { mode: 'number' }),
  /** When it had been restored, and everything was there. */
  provenAt: instant('proven_at'),
  /** Why it was not written, or not proven. */
  trouble: text('trouble'),
})
