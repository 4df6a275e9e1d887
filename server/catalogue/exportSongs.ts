import type { Queryable } from '../db/connection.ts'

/** An exported song, with the column names that `import` reads. */
export interface ExportedSong {
  key: string
  microgenre: string
  title: string
  artist: string
  year: number | null
  youtube_id: string | null
  spotify_id: string | null
  deezer_id: string | null
  recording_mbid: string | null
  isrc: string | null
  release_mbid: string | null
  duration_ms: number | null
  album_art: string | null
  retired: boolean
}

const PAGE = 5000

/**
 * All songs in pages, retired ones included: by microgenre and then in the order of their addition, which an import
 * preserves.
 */
export async function* exportSongs(tx: Queryable): AsyncGenerator<ExportedSong[]> {
  const microgenres = await tx<{ id: string; key: string }[]>`
    select id, key from microgenres where retired_at is null order by key`
  for (const { id, key } of microgenres) {
    let after = -1
    for (;;) {
      const rows = await tx<Row[]>`
        select seq, key, title, artist, year, youtube_id, spotify_id, deezer_track_id, recording_mbid, isrc,
          release_mbid, duration_ms, album_art, retired_at is not null as retired
        from songs where microgenre_id = ${id} and seq > ${after} order by seq limit ${PAGE}`
      if (rows.length === 0) break
      after = rows.at(-1)?.seq ?? after
      yield rows.map((row) => toExported(row, key))
    }
  }
}

interface Row {
  seq: number
  key: string
  title: string
  artist: string
  year: number | null
  youtubeId: string | null
  spotifyId: string | null
  deezerTrackId: string | null
  recordingMbid: string | null
  isrc: string | null
  releaseMbid: string | null
  durationMs: number | null
  albumArt: string | null
  retired: boolean
}

function toExported(row: Row, microgenre: string): ExportedSong {
  return {
    key: row.key,
    microgenre,
    title: row.title,
    artist: row.artist,
    year: row.year,
    youtube_id: row.youtubeId,
    spotify_id: row.spotifyId,
    deezer_id: row.deezerTrackId,
    recording_mbid: row.recordingMbid,
    isrc: row.isrc,
    release_mbid: row.releaseMbid,
    duration_ms: row.durationMs,
    album_art: row.albumArt,
    retired: row.retired,
  }
}
