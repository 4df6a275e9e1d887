import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
} from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'

/* Totals that the roll-up maintains, a second or two behind the ratings (community-4). */

export const songTotals = pgTable(
  'song_totals',
  {
    songId: id('song_id').primaryKey(),
    ratings: integer('ratings').notNull().default(0),
    bangers: integer('bangers').notNull().default(0),
    /** Those of both that were given after something of the song was heard. */
    heardRatings: integer('heard_ratings').notNull().default(0),
    heardBangers: integer('heard_bangers').notNull().default(0),
    /** Those of the heard ones whose song had been dealt: only they count for choosing songs (discover-51). */
    dealtRatings: integer('dealt_ratings').notNull().default(0),
    dealtBangers: integer('dealt_bangers').notNull().default(0),
    /** Bangers of today and the 29 UTC days before: the sum of `song_days` rows after the window's start. */
    recentBangers: integer('recent_bangers').notNull().default(0),
    lastBangerAt: instant('last_banger_at'),
  },
  (t) => [
    index('song_totals_trending').on(t.recentBangers, t.bangers, t.lastBangerAt).where(sql`${t.bangers} > 0`),
    index('song_totals_divided')
      .on(sql`(abs(2 * ${t.bangers} - ${t.ratings})::float8 / ${t.ratings})`, t.ratings.desc().nullsFirst())
      .where(sql`${t.ratings} >= 5`),
  ],
)

export const songDays = pgTable(
  'song_days',
  {
    songId: id('song_id').notNull(),
    day: date('day').notNull(),
    ratings: integer('ratings').notNull().default(0),
    bangers: integer('bangers').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.day, t.songId] })],
)

export const microgenreTotals = pgTable('microgenre_totals', {
  microgenreId: id('microgenre_id').primaryKey(),
  ratings: integer('ratings').notNull().default(0),
  bangers: integer('bangers').notNull().default(0),
  dealtRatings: integer('dealt_ratings').notNull().default(0),
  dealtBangers: integer('dealt_bangers').notNull().default(0),
})

/** PostgreSQL's largest bigint, above every id. */
const MAX_BIGINT = '9223372036854775807'

/**
 * One row. `day` is the UTC day that the 30-day windows have reached or are moving to. They move in small steps:
 * songs and listeners up to these ids have already left the window by the day before it (`day` - 30).
 */
export const communityTotals = pgTable('community_totals', {
  one: boolean('one').primaryKey().default(true),
  ratings: id('ratings').notNull().default('0'),
  bangers: id('bangers').notNull().default('0'),
  activeUsers: integer('active_users').notNull().default(0),
  day: date('day').notNull(),
  songsGone: id('songs_gone').notNull().default(MAX_BIGINT),
  listenersGone: id('listeners_gone').notNull().default(MAX_BIGINT),
})

/** The UTC day of each listener's latest rating, for the number of active listeners. */
export const listenerLastDays = pgTable(
  'listener_last_days',
  {
    userId: id('user_id').primaryKey(),
    day: date('day').notNull(),
  },
  (t) => [index('listener_last_days_day_user_id').on(t.day, t.userId)],
)

/**
 * What listeners' bangers say of two microgenres (discover-46), computed every hour. The row of a microgenre with itself
 * counts its listeners. No row is of fewer than ten.
 */
export const microgenreAffinities = pgTable(
  'microgenre_affinities',
  {
    microgenreId: id('microgenre_id').notNull(),
    otherId: id('other_id').notNull(),
    /** Listeners who bang in both. */
    listeners: integer('listeners').notNull(),
    affinity: real('affinity').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.microgenreId, t.otherId] }),
    check('microgenre_affinities_listeners', sql`${t.listeners} >= 10`),
  ],
)

/** The map of microgenres, drawn once a day from the places of the day before (discover-80, discover-81). */
export const microgenrePlaces = pgTable('microgenre_places', {
  microgenreId: id('microgenre_id').primaryKey(),
  x: real('x').notNull(),
  y: real('y').notNull(),
  /** The three nearest, the nearest first (discover-86). Null in a row of the previous version. */
  near: bigint('near', { mode: 'bigint' }).array(),
  /** The UTC day. */
  drawnOn: date('drawn_on').notNull(),
})

/**
 * How evenly the songs of a microgenre are heard (community-20), counted once an hour. The row of microgenre 0 is for
 * all songs of the other rows. No row is about fewer than five listeners or a single song (community-22).
 */
export const longTail = pgTable(
  'long_tail',
  {
    microgenreId: id('microgenre_id').primaryKey(),
    songs: integer('songs').notNull(),
    plays: id('plays').notNull(),
    /** Plays of the least-heard half of the songs. */
    halfPlays: id('half_plays').notNull(),
    /** Songs with fewer than five plays, and of these those that are new. */
    littleHeard: integer('little_heard').notNull(),
    littleHeardNew: integer('little_heard_new').notNull(),
    neverHeard: integer('never_heard').notNull(),
    countedAt: instant('counted_at').notNull(),
  },
  (t) => [check('long_tail_listeners', sql`${t.songs} > 1 and ${t.plays} >= 5`)],
)

/** The thresholds of achievements, written from `achievements/achievements.ts` at start. */
export const achievementRules = pgTable('achievement_rules', {
  type: text('type').primaryKey(),
  /** The counter: bangers, ratings, streak, genres, or genre_bangers. */
  counter: text('counter').notNull(),
  threshold: integer('threshold').notNull(),
})

/*
 * What `npm run learn` learned from the ratings. A run begins with the traits before it, so listeners' tastes
 * (`listener_stats`) go with later ones, too; `run` is the one that began with none.
 */

/** What is known of a song beyond its totals (discover-60). */
export const songTraits = pgTable(
  'song_traits',
  {
    songId: id('song_id').notNull(),
    run: integer('run').notNull(),
    /** The song's share of bangers when it was learned, as in discover-50. */
    share: real('share').notNull(),
    t1: real('t1').notNull(),
    t2: real('t2').notNull(),
    t3: real('t3').notNull(),
    t4: real('t4').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.songId, t.run] }),
    // Also not NaN, which PostgreSQL sorts above every number.
    check(
      'song_traits_bounded',
      sql`${t.share} between 0 and 1 and greatest(abs(${t.t1}), abs(${t.t2}), abs(${t.t3}), abs(${t.t4})) <= 4`,
    ),
  ],
)

/** The runs of the last three months. One that was killed has no end. */
export const tasteRuns = pgTable('taste_runs', {
  run: integer('run').primaryKey().generatedAlwaysAsIdentity(),
  startedAt: instant('started_at').notNull().defaultNow(),
  endedAt: instant('ended_at'),
  /** 'in place', 'refused' or 'too few' (discover-62). */
  outcome: text('outcome'),
  ratings: integer('ratings'),
  listeners: integer('listeners'),
  /** The mean squared error on held-out ratings: of these traits, of those in place before, and without any. */
  loss: real('loss'),
  lastLoss: real('last_loss'),
  plainLoss: real('plain_loss'),
})
