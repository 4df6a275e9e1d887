import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'

/*
 * Listener tables: user_id is the first column of every key and no foreign key refers to other tables, so they can be
 * sharded by user_id. Code deletes across table families, not a cascade.
 */

/** One row per listener, created with the account. Its lock serialises everything that one listener does. */
export const listenerStats = pgTable(
  'listener_stats',
  {
    userId: id('user_id').primaryKey(),
    totalRatings: integer('total_ratings').notNull().default(0),
    totalBangers: integer('total_bangers').notNull().default(0),
    /** Ratings in a row (community-11); a repeat in the same pass does not count. */
    streak: integer('streak').notNull().default(0),
    genresRated: integer('genres_rated').notNull().default(0),
    /** The taste: four numbers that go with the traits of this run (discover-60). Null before the first. */
    tasteRun: integer('taste_run'),
    t1: real('t1').notNull().default(0),
    t2: real('t2').notNull().default(0),
    t3: real('t3').notNull().default(0),
    t4: real('t4').notNull().default(0),
    /** By how much more the listener bangs than others do, whatever the song. */
    lenience: real('lenience').notNull().default(0),
    /** How songs are chosen (discover-70). Here and not with the account, because every deal reads this row. */
    songChoice: text('song_choice').notNull().default('both'),
  },
  (t) => [
    check('listener_stats_choice', sql`${t.songChoice} in ('liked', 'both', 'surprise', 'shuffle')`),
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
    /** 1 for the first pass through the microgenre; a restart starts the next one (discover-26). */
    pass: integer('pass').notNull().default(1),
    /** The seed of this pass's order. */
    passSeed: integer('pass_seed').notNull(),
    /**
     * Songs in the seeded order: the size of the microgenre when the pass began. Later songs follow as they were
     * added.
     */
    passSize: integer('pass_size').notNull(),
    /** The number of songs that were rated or let go in this pass, with retired ones. */
    done: integer('done').notNull().default(0),
    /** Every place below this one is done, put off, dealt or in the hand in this pass, or retired. */
    passPosition: integer('pass_position').notNull().default(0),
    /** The songs that are dealt and still to come, in order (discover-49), each with its number and its reason. */
    ahead: id('ahead').array().notNull().default(sql`'{}'`),
    /** Dealt songs are numbered from 1 in each pass. A song that returns without having been dealt is put between two. */
    aheadNumbers: doublePrecision('ahead_numbers').array().notNull().default(sql`'{}'`),
    /** The place in DEALT_REASONS, from 1 on. Null for a song that was not dealt. */
    aheadReasons: smallint('ahead_reasons').array().notNull().default(sql`'{}'`),
    /** The banger towards which the pass leans (discover-91). */
    leanSongId: id('lean_song_id'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.microgenreId] }),
    check('listener_genres_counts', sql`${t.bangers} between 0 and ${t.ratings}`),
    check('listener_genres_done', sql`${t.done} >= 0`),
  ],
)

/** The songs of a pass that are drawn but not dealt yet, in the order of the pass (discover-49). */
export const listenerHands = pgTable(
  'listener_hands',
  {
    userId: id('user_id').notNull(),
    microgenreId: id('microgenre_id').notNull(),
    /** A hand of an earlier pass does not count. */
    pass: integer('pass').notNull(),
    /** How many songs were dealt in this pass. */
    dealt: integer('dealt').notNull(),
    songs: id('songs').array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.microgenreId] })],
)

export const ratings = pgTable(
  'ratings',
  {
    userId: id('user_id').notNull(),
    songId: id('song_id').notNull(),
    microgenreId: id('microgenre_id').notNull(),
    banger: boolean('banger').notNull(),
    /** 0 for an imported rating, which counts in no time window. Its song is skipped in the current pass (imports-23). */
    pass: integer('pass').notNull(),
    ratedAt: instant('rated_at').notNull(),
    /** Seconds that were heard before the rating; null for none, or for a page that did not send them. */
    heardSeconds: real('heard_seconds'),
    heardSource: text('heard_source'),
    /** The song's number and reason when it was dealt in this pass; without a reason it was not dealt. */
    dealtNumber: doublePrecision('dealt_number'),
    dealtReason: smallint('dealt_reason'),
    /** The rating that this pass replaced, so that undo can restore it. */
    previousBanger: boolean('previous_banger'),
    previousPass: integer('previous_pass'),
    previousRatedAt: instant('previous_rated_at'),
    previousHeardSeconds: real('previous_heard_seconds'),
    previousHeardSource: text('previous_heard_source'),
    previousDealtReason: smallint('previous_dealt_reason'),
    /** Which import gave the rating of pass 0, be it this one or the previous one. */
    importId: id('import_id'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.songId] }),
    // Partial, although it contains every row, so that no plan uses it to find one rating. Queries of a listener's
    // ratings by time add `rated_at > '-infinity'`.
    index('ratings_in_order').on(t.userId, t.ratedAt).where(sql`${t.ratedAt} > '-infinity'`),
    check(
      'ratings_previous_is_whole',
      sql`num_nulls(${t.previousBanger}, ${t.previousPass}, ${t.previousRatedAt}) in (0, 3)`,
    ),
  ],
)

/** Songs that an import says the listener plays, with how often (imports-25). */
export const knownSongs = pgTable(
  'known_songs',
  {
    userId: id('user_id').notNull(),
    importId: id('import_id').notNull(),
    songId: id('song_id').notNull(),
    microgenreId: id('microgenre_id').notNull(),
    plays: integer('plays').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.importId, t.songId] })],
)

/**
 * When the rating of a song was last removed or undone, for as long as pages may ask what changed in their list
 * (library-17). Together with `rated_at` it is the time of the last change, without an index that every rating would pay.
 */
export const undoneRatings = pgTable(
  'undone_ratings',
  {
    userId: id('user_id').notNull(),
    songId: id('song_id').notNull(),
    undoneAt: instant('undone_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.songId] }), index('undone_ratings_undone_at').on(t.undoneAt)],
)

/**
 * Songs that a listener deferred with 'Not now' (discover-43). Deferred songs come again at the end of the pass, in the
 * order of `put_off_at`; skipped ones, with a `let_go_at`, do not. Only rows of the current pass count. A `let_go_at` of
 * '-infinity' marks a song that an import rated.
 */
export const notNow = pgTable(
  'not_now',
  {
    userId: id('user_id').notNull(),
    microgenreId: id('microgenre_id').notNull(),
    songId: id('song_id').notNull(),
    pass: integer('pass').notNull(),
    putOffAt: instant('put_off_at').notNull(),
    letGoAt: instant('let_go_at'),
    dealtNumber: doublePrecision('dealt_number'),
    dealtReason: smallint('dealt_reason'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.microgenreId, t.songId] })],
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
    /**
     * The microgenre in which it was earned, or 0: microgenre_master is earned once per microgenre, others once
     * (community-12).
     */
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

/**
 * The queue between ratings and totals: the old and the new rating. Null means 'no rating'. '-infinity' is the time of an
 * imported one, which counts in no time window.
 */
export const ratingChanges = pgTable(
  'rating_changes',
  {
    userId: id('user_id').notNull(),
    id: bigint('id', { mode: 'bigint' }).generatedAlwaysAsIdentity(),
    songId: id('song_id').notNull(),
    microgenreId: id('microgenre_id').notNull(),
    oldBanger: boolean('old_banger'),
    oldRatedAt: instant('old_rated_at'),
    oldHeard: boolean('old_heard'),
    /** Whether it was heard and had been dealt, so that it counts for choosing (discover-51). */
    oldDealt: boolean('old_dealt'),
    newBanger: boolean('new_banger'),
    newRatedAt: instant('new_rated_at'),
    newHeard: boolean('new_heard'),
    newDealt: boolean('new_dealt'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.id] }), index('rating_changes_id').on(t.id)],
)
