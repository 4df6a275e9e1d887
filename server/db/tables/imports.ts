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
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { ownedByUser } from './directory.ts'

/* Files that listeners bring: directory tables. What an import gave is in listener tables: `ratings`, `known_songs`. */

export const imports = pgTable(
  'imports',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: ownedByUser(),
    /** Of the file in `uploads`; null once it is deleted. */
    uploadKey: text('upload_key'),
    fileName: text('file_name'),
    /** The listener's names of a CSV's columns. */
    columns: text('columns'),
    /** The kinds of files that were found, for people. */
    sources: text('sources').array().notNull().default(sql`'{}'`),
    status: text('status').notNull().default('waiting'),
    error: text('error'),
    /** Of a CSV whose columns are unknown. */
    header: text('header').array(),
    bytesRead: bigint('bytes_read', { mode: 'number' }).notNull().default(0),
    bytesTotal: bigint('bytes_total', { mode: 'number' }).notNull().default(0),
    rowsRead: integer('rows_read').notNull().default(0),
    /** Rows that were left out, by reason. */
    leftOut: jsonb('left_out').$type<Record<string, number>>().notNull().default({}),
    /** The collections of our own data. */
    collections: jsonb('collections').$type<object[]>().notNull().default([]),
    /** What the listener said yes to. */
    choices: jsonb('choices').$type<Record<'bangers' | 'busts' | 'plays', boolean>>(),
    /** The place of the last song that was applied. */
    appliedPlace: integer('applied_place').notNull().default(0),
    /** Ids of the achievements that it unlocked. */
    achievements: id('achievements').array().notNull().default(sql`'{}'`),
    /** Whether the listener's taste began with it. */
    beganTaste: boolean('began_taste').notNull().default(false),
    /** Times that its file began to be read, and the process ended. */
    tries: integer('tries').notNull().default(0),
    createdAt: createdAt(),
    /** When the job last went on with it. */
    updatedAt: instant('updated_at').notNull().defaultNow(),
    appliedAt: instant('applied_at'),
  },
  (t) => [
    index('imports_user_id').on(t.userId, t.id),
    index('imports_to_do')
      .on(t.updatedAt)
      .where(sql`${t.status} in ('waiting', 'reading', 'applying', 'reverting')`),
    check(
      'imports_status',
      sql`${t.status} in ('waiting', 'reading', 'ready', 'applying', 'applied', 'reverting', 'failed', 'cancelled')`,
    ),
  ],
)

/** One row per song of a file, until the import is forgotten. */
export const importSongs = pgTable(
  'import_songs',
  {
    importId: id('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** From 1. */
    place: integer('place').notNull(),
    heap: text('heap').notNull().default('unknown'),
    /** What makes it one song. */
    key: text('key').notNull(),
    title: text('title').notNull(),
    artist: text('artist').notNull(),
    isrc: text('isrc'),
    recordingMbid: text('recording_mbid'),
    spotifyId: text('spotify_id'),
    youtubeId: text('youtube_id'),
    /** Only our own data says it. */
    microgenre: text('microgenre'),
    /** Loved, disliked, or only played. */
    verdict: boolean('verdict'),
    ratedAt: instant('rated_at'),
    plays: integer('plays').notNull().default(0),
    /** The song of the catalogue that it is, or may be if it is doubtful. */
    songId: id('song_id'),
    /** The listener's answer to a doubtful one. */
    isSame: boolean('is_same'),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.place] }),
    unique('import_songs_import_id_key').on(t.importId, t.key),
    check('import_songs_heap', sql`${t.heap} in ('known', 'doubtful', 'unknown')`),
  ],
)
