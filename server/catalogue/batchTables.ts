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
      audio jsonb, is_retired boolean, folded text) on commit delete rows`
  await db`
    create temporary table found (
      line integer not null, key text, youtube_id text, spotify_id text, recording_mbid text, song_id bigint,
      is_retired boolean, microgenre_id bigint, title text, artist text, year integer, deezer_track_id text,
      isrc text, release_mbid text, duration_ms integer, album_art text, audio jsonb, was_title text, was_artist text,
      was_year integer, was_youtube_id text, was_spotify_id text, was_deezer_track_id text,
      was_recording_mbid text, was_isrc text, was_release_mbid text, was_duration_ms integer,
      was_album_art text, was_audio jsonb, was_retired boolean, rejection text, value text) on commit delete rows`
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
          row.audio && JSON.stringify(row.audio),
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

/**
 * Fills `found`: the song of each row of the batch, its current values (`was_`), and why the row is rejected. Uses
 * only indexes, so the cost does not grow with the catalogue.
 */
export function findSongs(tx: Queryable) {
  return tx`
    insert into found (line, key, youtube_id, spotify_id, recording_mbid, song_id, is_retired, microgenre_id,
      title, artist, year, deezer_track_id, isrc, release_mbid, duration_ms, album_art, audio,
      was_title, was_artist, was_year, was_youtube_id, was_spotify_id, was_deezer_track_id,
      was_recording_mbid, was_isrc, was_release_mbid,
      was_duration_ms, was_album_art, was_audio, was_retired, rejection, value)
    select c.line, c.key, c.youtube_id, c.spotify_id, c.recording_mbid, c.song_id, c.is_retired,
      coalesce(s.microgenre_id, c.microgenre_id) as microgenre_id,
      c.title, c.artist, c.year, c.deezer_track_id, c.isrc, c.release_mbid, c.duration_ms, c.album_art, c.audio,
      s.title as was_title, s.artist as was_artist, s.year as was_year, s.youtube_id as was_youtube_id,
      s.spotify_id as was_spotify_id, s.deezer_track_id as was_deezer_track_id,
      s.recording_mbid as was_recording_mbid, s.isrc as was_isrc, s.release_mbid as was_release_mbid,
      s.duration_ms as was_duration_ms, s.album_art as was_album_art, s.audio as was_audio,
      s.retired_at is not null as was_retired,
      case
        when c.by_youtube <> c.song_id then 'other_youtube'
        when c.by_spotify <> c.song_id then 'other_spotify'
        when c.by_recording <> c.song_id then 'other_recording'
        when s.microgenre_id <> c.microgenre_id then 'other_microgenre'
        when c.song_id is null and c.title is null then 'no_title'
        when c.song_id is null and c.artist is null then 'no_artist'
        when c.song_id is null and c.microgenre_id is null then 'no_microgenre'
        when r.line is not null then 'repeated'
      end as rejection,
      case
        when c.by_youtube <> c.song_id then (select key from songs where id = c.by_youtube)
        when c.by_spotify <> c.song_id then (select key from songs where id = c.by_spotify)
        when c.by_recording <> c.song_id then (select key from songs where id = c.by_recording)
        when s.microgenre_id <> c.microgenre_id then
          s.key || ' is in ' || (select key from microgenres where id = s.microgenre_id)
        when r.line is not null then 'line ' || r.line
      end as value
    from (
      select i.*, y.id as by_youtube, p.id as by_spotify, b.id as by_recording,
        coalesce(case when i.is_key_given then k.id end, y.id, p.id, b.id, k.id, n.id) as song_id
      from batch_rows i
      left join songs k on k.key = i.key
      left join songs y on y.youtube_id = i.youtube_id
      left join songs p on p.spotify_id = i.spotify_id
      left join songs b on b.recording_mbid = i.recording_mbid
      left join songs n on n.key = i.named_key and n.microgenre_id = i.microgenre_id
        and n.folded = i.folded
    ) c
    left join songs s on s.id = c.song_id
    left join run_songs r on r.song_id = c.song_id`
}

export type IdColumn = 'key' | 'youtube_id' | 'spotify_id' | 'recording_mbid'

/** Rejects all but the first of several rows of the same song, as across batches. */
export function rejectRepeats(tx: Queryable, columns: IdColumn[]) {
  return [...columns, 'song_id' as const].map(
    (column) => tx`
      update found f set rejection = 'repeated', value = 'line ' || first.line
      from (select ${tx(column)} as same, min(line) as line from found
            where rejection is null and ${tx(column)} is not null group by 1 having count(*) > 1) as first
      where first.same = f.${tx(column)} and f.line > first.line and f.rejection is null`,
  )
}

/** Columns in which several rows share a value: usually none, which saves the queries. */
export function repeatedColumns(rows: ResolvedRow[]): IdColumn[] {
  return (
    [
      ['key', 'key'],
      ['youtubeId', 'youtube_id'],
      ['spotifyId', 'spotify_id'],
      ['recordingMbid', 'recording_mbid'],
    ] as const
  ).flatMap(([field, column]) => (hasRepeats(rows, field) ? [column] : []))
}

function hasRepeats(
  rows: ResolvedRow[],
  field: 'key' | 'youtubeId' | 'spotifyId' | 'recordingMbid',
): boolean {
  const values = rows.flatMap((row) => row[field] ?? [])
  return new Set(values).size < values.length
}
