import type { Queryable } from '../db/connection.ts'
import type { ResolvedRow } from './batchTables.ts'

/**
 * Fills `found`: the song of each row of the batch, its current values (`was_`), and why the row is rejected. Uses
 * only indexes, so the cost does not grow with the catalogue.
 */
export function findSongs(tx: Queryable) {
  return tx`
    insert into found (line, key, youtube_id, spotify_id, recording_mbid, song_id, is_retired, microgenre_id,
      title, artist, year, deezer_track_id, isrc, release_mbid, duration_ms, album_art,
      was_title, was_artist, was_year, was_youtube_id, was_spotify_id, was_deezer_track_id,
      was_recording_mbid, was_isrc, was_release_mbid,
      was_duration_ms, was_album_art, was_retired, rejection, value)
    select c.line, c.key, c.youtube_id, c.spotify_id, c.recording_mbid, c.song_id, c.is_retired,
      coalesce(s.microgenre_id, c.microgenre_id) as microgenre_id,
      c.title, c.artist, c.year, c.deezer_track_id, c.isrc, c.release_mbid, c.duration_ms, c.album_art,
      s.title as was_title, s.artist as was_artist, s.year as was_year, s.youtube_id as was_youtube_id,
      s.spotify_id as was_spotify_id, s.deezer_track_id as was_deezer_track_id,
      s.recording_mbid as was_recording_mbid, s.isrc as was_isrc, s.release_mbid as was_release_mbid,
      s.duration_ms as was_duration_ms, s.album_art as was_album_art, s.retired_at is not null as was_retired,
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
