import type { Queryable, Transaction } from '../db/connection.ts'
import { foldSearchText } from '../db/searchTexts.ts'
import { foldAllSongs } from '../suggestions/catalogueSongs.ts'
import type { SongRow } from './songRow.ts'

/** A row with its microgenre's id; null when the file names none. */
export type ResolvedRow = SongRow & { microgenreId: string | null }

/**
 * Creates the temporary tables of a run: the songs seen so far with their lines, the rows of the current batch, and
 * the result of `findSongs`. They belong to the connection, so a run uses a pool of one.
 */
export async function createRunTables(db: Queryable): Promise<void> {
  await foldAllSongs(db)
  await db`drop table if exists run_songs, batch_rows, found`
  await db`create temporary table run_songs (song_id bigint primary key, line integer not null)`
  await db`
    create temporary table batch_rows (
      line integer, key text, is_key_given boolean, named_key text, microgenre_id bigint, title text,
      artist text, year integer, youtube_id text, spotify_id text, deezer_track_id text,
      recording_mbid text, isrc text, release_mbid text, duration_ms integer, album_art text,
      is_retired boolean, folded text) on commit delete rows`
  await db`
    create temporary table found (
      line integer not null, key text, youtube_id text, spotify_id text, recording_mbid text, song_id bigint,
      is_retired boolean, microgenre_id bigint, title text, artist text, year integer, deezer_track_id text,
      isrc text, release_mbid text, duration_ms integer, album_art text, was_title text, was_artist text,
      was_year integer, was_youtube_id text, was_spotify_id text, was_deezer_track_id text,
      was_recording_mbid text, was_isrc text, was_release_mbid text, was_duration_ms integer,
      was_album_art text, was_retired boolean, rejection text, value text) on commit delete rows`
}

export const copyRows = (tx: Transaction, text: Buffer[]): Promise<void> =>
  tx.copyIn('copy batch_rows from stdin', text)

/**
 * Rows in COPY's text format, in chunks that suit a socket: https://www.postgresql.org/docs/current/sql-copy.html
 */
export function toCopyText(rows: ResolvedRow[]): Buffer[] {
  const chunks: Buffer[] = []
  for (let start = 0; start < rows.length; start += 1000) {
    const lines = rows
      .slice(start, start + 1000)
      .map((row) =>
        [
          row.line,
          row.key,
          row.isKeyGiven,
          row.namedKey,
          row.microgenreId,
          row.title,
          row.artist,
          row.year,
          row.youtubeId,
          row.spotifyId,
          row.deezerId,
          row.recordingMbid,
          row.isrc,
          row.releaseMbid,
          row.durationMs,
          row.albumArt,
          row.isRetired,
          row.namedKey && foldSearchText(`${row.title} ${row.artist}`),
        ]
          .map(copyCell)
          .join('\t'),
      )
    chunks.push(Buffer.from(`${lines.join('\n')}\n`))
  }
  return chunks
}

/** Rows contain no tabs or line breaks; `readSongRow` rejects them. */
const copyCell = (value: string | number | boolean | null) =>
  value === null ? '\\N' : typeof value === 'string' ? value.replaceAll('\\', '\\\\') : String(value)
