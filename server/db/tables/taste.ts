import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'

/*
 * What `npm run learn` learned from the ratings. The numbers of one run mean nothing in another: a listener's taste
 * (`listener_stats`) goes with the traits of its run only.
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
