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
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { createdAt, id, instant, trigramsOf } from './columns.ts'

const SIGNS = sql.raw(
  `'àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ \t''’‘\`´"“”.,;:!?()[]{}/\\&+-–—_*#…%', 'aaaaaaceeeeiiiinooooouuuuyyaaaaaaceeeeiiiinooooouuuuy'`,
)

/** Reference tables, small beside those of listeners. */
export const microgenres = pgTable(
  'microgenres',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    key: text('key').notNull().unique(),
    name: text('name').notNull().unique(),
    family: text('family').notNull(),
    description: text('description').notNull(),
    color: text('color').notNull(),
    energy: text('energy').array().notNull(),
    vocals: text('vocals').array().notNull(),
    familiarity: text('familiarity').array().notNull(),
    mood: text('mood').array().notNull(),
    /** Keys of related microgenres, the closest first; some may be unknown here. */
    relatives: text('relatives').array().notNull().default([]),
    /** Songs ever added, retired ones included: the next song gets this number as its `seq`. */
    songCount: integer('song_count').notNull().default(0),
    /** Songs that can be played now. */
    liveSongCount: integer('live_song_count').notNull().default(0),
    /** When a steward's approval was undone (desk-28); no list shows it then. */
    retiredAt: instant('retired_at'),
    createdAt: createdAt(),
  },
  (t) => [
    check('microgenres_color_is_hex', sql`${t.color} ~ '^#[0-9a-f]{6}$'`),
    check('microgenres_counts', sql`${t.liveSongCount} between 0 and ${t.songCount}`),
  ],
)

export const songs = pgTable(
  'songs',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The catalogue's own key for the song, by which later loads find the row. */
    key: text('key').notNull().unique(),
    /** Its source: the starter catalogue retires only its own songs. */
    source: text('source').notNull().default('starter'),
    microgenreId: id('microgenre_id')
      .notNull()
      .references(() => microgenres.id),
    /** Place in the microgenre, from 0, without gaps, never reused: the order of songs depends on it. */
    seq: integer('seq').notNull(),
    title: text('title').notNull(),
    artist: text('artist').notNull(),
    year: integer('year'),
    albumArt: text('album_art'),
    youtubeId: text('youtube_id'),
    /**
     * The video that failed for several listeners, until it is verified; other videos of the song are not affected.
     */
    blockedVideoId: text('blocked_video_id'),
    /** The video that the server checked last, and when; it plays unless it is blocked (catalogue-19). */
    checkedVideoId: text('checked_video_id'),
    checkedAt: instant('checked_at'),
    spotifyId: text('spotify_id'),
    /** Deezer's track id: a preview address expires, the track does not (playback-14). */
    deezerTrackId: text('deezer_track_id'),
    /** MusicBrainz's id of the recording. Two songs are never the same recording (catalogue-1). */
    recordingMbid: text('recording_mbid'),
    /** Not unique: labels gave one code to several recordings. */
    isrc: text('isrc'),
    /** MusicBrainz's id of the release whose cover is shown. */
    releaseMbid: text('release_mbid'),
    previewUrl: text('preview_url'),
    previewExpiresAt: instant('preview_expires_at'),
    /** A whole recording (playback-28). */
    audio: jsonb('audio').$type<{ url: string; licence: string; attribution: string }>(),
    /** Its address if it did not play when it was checked last (catalogue-25). */
    blockedAudioUrl: text('blocked_audio_url'),
    audioCheckedAt: instant('audio_checked_at'),
    durationMs: integer('duration_ms'),
    retiredAt: instant('retired_at'),
    createdAt: createdAt(),
    /** The folded texts, for searches (desk-4) and for spellings of one song (desk-5): `suggestions/catalogueSongs.ts`. */
    folded: text('folded'),
    titleKey: text('title_key'),
    /** A hash of the texts that were folded. */
    foldedFrom: bigint('folded_from', { mode: 'bigint' }),
    /** For the previous version, which searches by it. */
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`translate(lower(title || ' ' || artist), ${SIGNS})`),
    /** The title without its version, for imports: `imports/matchSongs.ts`. */
    plainTitle: text('plain_title')
      .notNull()
      .generatedAlwaysAs(
        sql`replace(replace(translate(lower(split_part(split_part(split_part(split_part(
          lower(title), ' - ', 1), ' (', 1), ' feat', 1), ' ft', 1)), ${SIGNS}), 'and', ''), 'the', '')`,
      ),
  },
  (t) => [
    unique('songs_microgenre_id_seq').on(t.microgenreId, t.seq),
    uniqueIndex('songs_youtube_id').on(t.youtubeId).where(sql`${t.youtubeId} is not null`),
    uniqueIndex('songs_spotify_id').on(t.spotifyId).where(sql`${t.spotifyId} is not null`),
    uniqueIndex('songs_recording_mbid').on(t.recordingMbid).where(sql`${t.recordingMbid} is not null`),
    index('songs_deezer_track_id').on(t.deezerTrackId).where(sql`${t.deezerTrackId} is not null`),
    index('songs_isrc').on(t.isrc).where(sql`${t.isrc} is not null`),
    index('songs_folded').using('gin', trigramsOf(t.folded)).where(sql`${t.retiredAt} is null`),
    index('songs_title_key').on(t.titleKey),
    index('songs_to_fold')
      .on(sql`(${t.id} + 0)`)
      .where(sql`${t.foldedFrom} is distinct from hashtextextended(title || chr(31) || artist, 0)`),
    index('songs_plain_title').on(t.plainTitle),
    index('songs_search').using('gin', trigramsOf(t.searchText)).where(sql`${t.retiredAt} is null`),
    // The order of a search.
    index('songs_shortest').on(sql`char_length(${t.title})`, t.id).where(sql`${t.retiredAt} is null`),
    index('songs_retired').on(t.microgenreId, t.id).where(sql`${t.retiredAt} is not null`),
    index('songs_audio').on(t.microgenreId, t.id).where(sql`${t.audio} is not null`),
    index('songs_blocked_video').on(t.id).where(sql`${t.blockedVideoId} is not null`),
    check('songs_source', sql`${t.source} in ('starter', 'import')`),
    check('songs_seq_from_zero', sql`${t.seq} >= 0`),
    check('songs_youtube_id_shape', sql`${t.youtubeId} ~ '^[A-Za-z0-9_-]{11}$'`),
    check('songs_spotify_id_shape', sql`${t.spotifyId} ~ '^[A-Za-z0-9]{22}$'`),
    check(
      'songs_recording_mbid_shape',
      sql`${t.recordingMbid} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`,
    ),
    check('songs_isrc_shape', sql`${t.isrc} ~ '^[A-Z]{2}[A-Z0-9]{3}[0-9]{7}$'`),
    check('songs_release_mbid_shape', sql`${t.releaseMbid} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`),
  ],
)

/**
 * Videos that a song got, may get or was refused: further ones of the starter catalogue, those that `catalogue videos`
 * judged (catalogue-7), and those that died (catalogue-20). A reference table.
 */
export const videoCandidates = pgTable(
  'video_candidates',
  {
    /** The id that the desk uses (desk-25). */
    id: bigint('id', { mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    songId: id('song_id').notNull(),
    videoId: text('video_id').notNull(),
    /** The most trusted source that names it. */
    source: text('source').notNull(),
    /** Of 100. */
    score: integer('score').notNull(),
    /**
     * Why it was not taken; null for the video that the song got. `rejected`: by a steward; `not needed`: it waits until
     * the song's video is dead; `gone` and `not embeddable`: it was the song's, or waited, until then.
     */
    refusal: text('refusal'),
    detail: text('detail'),
    title: text('title'),
    channel: text('channel'),
    durationMs: integer('duration_ms'),
    judgedAt: instant('judged_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.songId, t.videoId] }),
    uniqueIndex('video_candidates_id').on(t.id),
    index('video_candidates_undecided')
      .on(t.songId)
      .where(sql`${t.refusal} in ('weak', 'regional', 'length differs')`),
    check(
      'video_candidates_source',
      sql`${t.source} in ('catalogue', 'musicbrainz', 'wikidata', 'discogs', 'youtube')`,
    ),
    check('video_candidates_score', sql`${t.score} between 0 and 100`),
  ],
)

/**
 * Recordings that may become songs of a microgenre, and what became of them (catalogue-15). A reference table. Nothing is
 * decided while `refusal`, `song_id` and `suggestion_id` are null.
 */
export const songCandidates = pgTable(
  'song_candidates',
  {
    microgenreId: id('microgenre_id').notNull(),
    recordingMbid: text('recording_mbid').notNull(),
    /** What has the microgenre's tag: the recording, its release group, its artist. */
    tagged: text('tagged').array().notNull(),
    title: text('title'),
    artist: text('artist'),
    artistMbid: text('artist_mbid'),
    lengthMs: integer('length_ms'),
    year: integer('year'),
    releaseMbid: text('release_mbid'),
    /** When MusicBrainz described it; null until then. */
    lookedUpAt: instant('looked_up_at'),
    /** Of 100, when it was decided. */
    score: integer('score'),
    refusal: text('refusal'),
    detail: text('detail'),
    /** The song that it became. */
    songId: id('song_id'),
    /** The suggestion at the desk that it became. */
    suggestionId: id('suggestion_id'),
  },
  (t) => [
    primaryKey({ columns: [t.microgenreId, t.recordingMbid] }),
    check('song_candidates_tagged', sql`${t.tagged} <@ array['recording', 'release-group', 'artist']`),
    check('song_candidates_outcome', sql`num_nonnulls(${t.refusal}, ${t.songId}, ${t.suggestionId}) <= 1`),
  ],
)

/**
 * Genres of MusicBrainz that may become microgenres, and what became of them (catalogue-18). A reference table. Each is
 * here once, whatever was decided, so it is proposed once.
 */
export const foundMicrogenres = pgTable(
  'found_microgenres',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The normalized name. */
    genreKey: text('genre_key').notNull().unique(),
    name: text('name').notNull(),
    /** The family of the nearest microgenre. */
    family: text('family').notNull(),
    /** The microgenre whose growth found most of its songs. */
    nearId: id('near_id').notNull(),
    state: text('state').notNull().default('waiting'),
    /** The microgenre that it became. It stays, retired, after an undo. */
    microgenreId: id('microgenre_id'),
    createdAt: createdAt(),
  },
  (t) => [
    index('found_microgenres_waiting').on(t.id).where(sql`${t.state} = 'waiting'`),
    check('found_microgenres_state', sql`${t.state} in ('waiting', 'approved', 'rejected')`),
    check('found_microgenres_microgenre', sql`${t.state} <> 'approved' or ${t.microgenreId} is not null`),
  ],
)

/** Recordings whose strongest tags are no microgenre's: evidence for a new one. A reference table. */
export const foundMicrogenreSongs = pgTable(
  'found_microgenre_songs',
  {
    /** The normalized tag. */
    genreKey: text('genre_key').notNull(),
    recordingMbid: text('recording_mbid').notNull(),
    /** The microgenre whose growth found it. */
    nearId: id('near_id').notNull(),
    /** Normalized title and artist. */
    songKey: text('song_key').notNull(),
    title: text('title').notNull(),
    artist: text('artist').notNull(),
    artistMbid: text('artist_mbid').notNull(),
    lengthMs: integer('length_ms'),
    year: integer('year'),
    releaseMbid: text('release_mbid'),
  },
  (t) => [primaryKey({ columns: [t.genreKey, t.recordingMbid] })],
)

/** One row: the starter catalogue that was loaded last. */
export const loadedCatalogue = pgTable('loaded_catalogue', {
  one: boolean('one').primaryKey().default(true),
  /** From `catalogue/version.json`. A server with a lower number loads nothing. */
  number: integer('number').notNull(),
  /** The hash of its files. */
  sha256: text('sha256').notNull(),
  loadedAt: instant('loaded_at').notNull().defaultNow(),
})
