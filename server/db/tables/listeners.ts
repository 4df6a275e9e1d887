import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
} from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'

/*
 * Listener tables: user_id is first in every key and no foreign key leaves the family, so that the
 * family can be sharded by user_id. Deletion across families is written out, not cascaded.
 */

/** One row a listener, made with the account. Its lock orders everything that one listener does. */
export const listenerStats = pgTable(
  'listener_stats',
  {
    userId: id('user_id').primaryKey(),
    totalRatings: integer('total_ratings').notNull().default(0),
    totalBangers: integer('total_bangers').notNull().default(0),
    /** Ratings in a row (community-11); a repeat in the same pass does not count. */
    streak: integer('streak').notNull().default(0),
    genresRated: integer('genres_rated').notNull().default(0),
  },
  (t) => [
    check(
      'listener_stats_counts',
      sql`${t.totalBangers} between 0 and ${t.totalRatings} and ${t.streak} >= 0 and ${t.genresRated} >= 0`,
    ),
  ],
)

/** A listener's counters in one microgenre, and the pass through it. */
export const listenerGenres = pgTable(
  'listener_genres',
  {
    userId: id('user_id').notNull(),
    microgenreId: id('microgenre_id').notNull(),
    ratings: integer('ratings').notNull().default(0),
    bangers: integer('bangers').notNull().default(0),
    /** 1 for the first walk through the microgenre; a restart begins the next one (discover-26). */
    pass: integer('pass').notNull().default(1),
    /** Seeds the order of this pass. */
    passSeed: integer('pass_seed').notNull(),
    /** Songs shuffled by the seed: the size of the microgenre when the pass began. Later ones follow as they came. */
    passSize: integer('pass_size').notNull(),
    /** Every place of the order below this one is rated in this pass, or retired. */
    passPosition: integer('pass_position').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.microgenreId] }),
    check('listener_genres_counts', sql`${t.bangers} between 0 and ${t.ratings}`),
  ],
)

export const ratings = pgTable(
  'ratings',
  {
    userId: id('user_id').notNull(),
    songId: id('song_id').notNull(),
    microgenreId: id('microgenre_id').notNull(),
    banger: boolean('banger').notNull(),
    pass: integer('pass').notNull(),
    ratedAt: instant('rated_at').notNull(),
    /** The rating that this pass replaced, so that undo can bring it back. */
    previousBanger: boolean('previous_banger'),
    previousPass: integer('previous_pass'),
    previousRatedAt: instant('previous_rated_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.songId] }),
    // Partial, though it holds every row, so that no plan looks for one rating in it. Who wants a listener's ratings
    // by time asks for `rated_at > '-infinity'` too.
    index('ratings_in_order').on(t.userId, t.ratedAt).where(sql`${t.ratedAt} > '-infinity'`),
    check(
      'ratings_previous_is_whole',
      sql`num_nulls(${t.previousBanger}, ${t.previousPass}, ${t.previousRatedAt}) in (0, 3)`,
    ),
  ],
)

export const listeningProgress = pgTable(
  'listening_progress',
  {
    userId: id('user_id').notNull(),
    songId: id('song_id').notNull(),
    secondsListened: real('seconds_listened').notNull(),
    totalDuration: real('total_duration').notNull(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.songId] }),
    check(
      'listening_progress_seconds',
      sql`${t.secondsListened} > 0 and ${t.totalDuration} > 0 and ${t.secondsListened} <= ${t.totalDuration}`,
    ),
  ],
)

export const achievements = pgTable(
  'achievements',
  {
    userId: id('user_id').notNull(),
    type: text('type').notNull(),
    /** The microgenre it was won in, or 0: most are won once, microgenre_master once a genre (community-12). */
    scope: id('scope').notNull().default('0'),
    id: bigint('id', { mode: 'bigint' }).generatedAlwaysAsIdentity(),
    metadata: jsonb('metadata').$type<Record<string, string | number>>().notNull().default({}),
    createdAt: createdAt(),
    announcedAt: instant('announced_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.type, t.scope] }),
    index('achievements_user_id_id').on(t.userId, t.id),
    index('achievements_unannounced').on(t.userId).where(sql`${t.announcedAt} is null`),
  ],
)

/** The queue between a rating and the totals: what was, and what is now. Nulls stand for 'no rating'. */
export const ratingChanges = pgTable(
  'rating_changes',
  {
    userId: id('user_id').notNull(),
    id: bigint('id', { mode: 'bigint' }).generatedAlwaysAsIdentity(),
    songId: id('song_id').notNull(),
    microgenreId: id('microgenre_id').notNull(),
    oldBanger: boolean('old_banger'),
    oldRatedAt: instant('old_rated_at'),
    newBanger: boolean('new_banger'),
    newRatedAt: instant('new_rated_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.id] }), index('rating_changes_id').on(t.id)],
)
