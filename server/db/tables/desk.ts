import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { ownedByUser, users } from './directory.ts'

/* Directory tables of the desk: what listeners suggest and report, and what stewards decide. */

/** A song that listeners ask for. Whoever asks has a row in `suggestion_votes`. */
export const suggestions = pgTable(
  'suggestions',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Normalized title and artist: one open suggestion per song (desk-5). */
    songKey: text('song_key').notNull(),
    title: text('title').notNull(),
    artist: text('artist').notNull(),
    year: integer('year'),
    microgenreId: id('microgenre_id').notNull(),
    address: text('address'),
    service: text('service'),
    youtubeId: text('youtube_id'),
    spotifyId: text('spotify_id'),
    deezerTrackId: text('deezer_track_id'),
    recordingMbid: text('recording_mbid'),
    state: text('state').notNull().default('waiting'),
    /** Why it was rejected. */
    reason: text('reason'),
    /** The evidence, of 100, for a song that the catalogue found (desk-21); null for listeners' suggestions. */
    foundScore: integer('found_score'),
    /** The song that it added, or was merged with. */
    songId: id('song_id'),
    createdAt: createdAt(),
    decidedAt: instant('decided_at'),
  },
  (t) => [
    uniqueIndex('suggestions_open_key').on(t.songKey).where(sql`${t.state} = 'waiting'`),
    uniqueIndex('suggestions_open_youtube').on(t.youtubeId).where(sql`${t.state} = 'waiting'`),
    uniqueIndex('suggestions_open_spotify').on(t.spotifyId).where(sql`${t.state} = 'waiting'`),
    uniqueIndex('suggestions_open_deezer').on(t.deezerTrackId).where(sql`${t.state} = 'waiting'`),
    uniqueIndex('suggestions_open_recording').on(t.recordingMbid).where(sql`${t.state} = 'waiting'`),
    index('suggestions_waiting').on(t.id).where(sql`${t.state} = 'waiting'`),
    check('suggestions_state', sql`${t.state} in ('waiting', 'approved', 'merged', 'rejected', 'withdrawn')`),
    check('suggestions_song', sql`(${t.songId} is not null) = (${t.state} in ('approved', 'merged'))`),
    check('suggestions_texts', sql`char_length(${t.title}) <= 200 and char_length(${t.artist}) <= 200`),
  ],
)

export const suggestionVotes = pgTable(
  'suggestion_votes',
  {
    suggestionId: id('suggestion_id')
      .notNull()
      .references(() => suggestions.id, { onDelete: 'cascade' }),
    userId: ownedByUser(),
    createdAt: createdAt(),
    withdrawnAt: instant('withdrawn_at'),
  },
  (t) => [
    primaryKey({ columns: [t.suggestionId, t.userId] }),
    index('suggestion_votes_user_id').on(t.userId, t.createdAt),
  ],
)

/**
 * The trail of the desk: rows are added, never deleted (desk-18). An undo is a row too, and may itself be undone; `base`
 * is the decision at the beginning of such a chain.
 */
export const decisions = pgTable(
  'decisions',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    stewardId: id('steward_id').references(() => users.id, { onDelete: 'set null' }),
    subject: text('subject').notNull(),
    /** Null when it was about a person whose account is gone. */
    subjectId: id('subject_id'),
    /** The subject's name. */
    label: text('label').notNull(),
    action: text('action').notNull(),
    reason: text('reason'),
    /** The song that it added, moved to, or merged with. */
    songId: id('song_id'),
    /** Values before and after, for the trail. */
    changes: jsonb('changes').notNull().default([]),
    /** What an undo needs besides the changes, and the rank of who decided; old rows have none. */
    kept: jsonb('kept').notNull().default({}),
    /** Whether a decision is in force, not undone. */
    stands: boolean('stands').notNull().default(true),
    undoes: id('undoes').references((): AnyPgColumn => decisions.id),
    base: id('base').references((): AnyPgColumn => decisions.id),
    /** Decisions of one press: the id of the first. */
    batch: id('batch'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('decisions_undoes').on(t.undoes),
    index('decisions_steward_id').on(t.stewardId),
    index('decisions_subject').on(t.subject, t.subjectId, t.id),
    index('decisions_batch').on(t.batch).where(sql`${t.batch} is not null`),
    check('decisions_undo', sql`num_nulls(${t.undoes}, ${t.base}) in (0, 2)`),
    check('decisions_undo_action', sql`(${t.action} = 'undo') = (${t.undoes} is not null)`),
  ],
)

/** One row for each listener, subject and reason (desk-8). It is open until it is decided or withdrawn. */
export const reports = pgTable(
  'reports',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: ownedByUser(),
    subject: text('subject').notNull(),
    subjectId: id('subject_id').notNull(),
    reason: text('reason').notNull(),
    createdAt: createdAt(),
    withdrawnAt: instant('withdrawn_at'),
    /** The decision that closed it. */
    closedBy: id('closed_by').references(() => decisions.id),
  },
  (t) => [
    uniqueIndex('reports_open')
      .on(t.subject, t.subjectId, t.userId, t.reason)
      .where(sql`${t.closedBy} is null and ${t.withdrawnAt} is null`),
    index('reports_user_id').on(t.userId),
    index('reports_closed_by').on(t.closedBy).where(sql`${t.closedBy} is not null`),
    check('reports_subject', sql`${t.subject} in ('song', 'person', 'bio', 'photo', 'collection')`),
  ],
)
