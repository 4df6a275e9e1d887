import { coverAddress } from '../../contract/covers.ts'
import { DEALT_REASONS, type DealReason, type OfferedSong } from '../../contract/discovery.ts'
import type { Song, WholeAudio } from '../../contract/shapes.ts'
import type { Fragment, Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { isDeezerPicture } from '../integrations/covers.ts'

/** A song's row with its microgenre, as `songColumns` selects it from `songs s` and `microgenres m`. */
export interface SongRow {
  songId: string
  title: string
  artist: string
  year: number | null
  albumArt: string | null
  youtubeId: string | null
  youtubeBlocked: boolean
  spotifyId: string | null
  previewUrl: string | null
  deezerTrackId: string | null
  releaseMbid: string | null
  durationMs: number | null
  microgenre: string
  microgenreId: string
  color: string
  audio: WholeAudio | null
}

export const songColumns = (db: Queryable) => db`
  s.id as song_id, s.title, s.artist, s.year, s.album_art, s.youtube_id,
  coalesce(s.blocked_video_id = s.youtube_id, false) as youtube_blocked, s.spotify_id,
  case when s.preview_expires_at > now() then s.preview_url end as preview_url,
  s.deezer_track_id, s.release_mbid, s.duration_ms, s.microgenre_id, m.name as microgenre, m.color,
  case when s.blocked_audio_url is distinct from s.audio->>'url' then s.audio end as audio`

/** The same columns of a function's result (`next_songs`). */
export const offeredColumns = (db: Queryable, row: Fragment) => db`
  ${row}.song_id, ${row}.title, ${row}.artist, ${row}.year, ${row}.album_art, ${row}.youtube_id, ${row}.youtube_blocked,
  ${row}.spotify_id, ${row}.preview_url, ${row}.deezer_track_id, ${row}.release_mbid, ${row}.duration_ms,
  ${row}.microgenre_id, ${row}.microgenre, ${row}.color, ${row}.audio`

/** The song's own art, else the video's thumbnail. */
export function albumArtOf(
  row: { albumArt: string | null; youtubeId: string | null },
  env: Env,
): string | null {
  return row.albumArt ?? (row.youtubeId ? `${env.YOUTUBE_IMAGE_URL}/vi/${row.youtubeId}/hqdefault.jpg` : null)
}

/**
 * An operator's own picture; else the cover from this server, with the fallback after `#`; else the video's thumbnail
 * (playback-63). Null when there is none: the page draws a cover.
 */
function pictureOf(row: SongRow, env: Env): string | null {
  const { songId, albumArt, releaseMbid } = row
  const hasCover = albumArt === null ? releaseMbid !== null : isDeezerPicture(albumArt, env)
  if (!hasCover) return albumArtOf(row, env)
  const thumbnail = albumArtOf({ ...row, albumArt: null }, env)
  return `${coverAddress(songId, 640)}${thumbnail ? `#${thumbnail}` : ''}`
}

export function toSong(row: SongRow, env: Env): Song {
  return {
    id: row.songId,
    title: row.title,
    artist: row.artist,
    year: row.year,
    albumArt: pictureOf(row, env),
    youtubeId: row.youtubeId,
    youtubeBlocked: row.youtubeBlocked,
    spotifyId: row.spotifyId,
    deezerId: row.previewUrl,
    deezerTrackId: row.deezerTrackId,
    audio: row.audio,
    duration: row.durationMs === null ? null : row.durationMs / 1000,
    microgenre: row.microgenre,
    microgenreId: row.microgenreId,
    color: row.color,
  }
}

export type NextRow = (SongRow & { nextPutOff: boolean; nextReason: number | null }) | { songId: null }

export function toNext(row: NextRow, env: Env): { completed: boolean; nextSong: OfferedSong | null } {
  return row.songId === null
    ? { completed: true, nextSong: null }
    : { completed: false, nextSong: toOffered(row, row.nextPutOff, row.nextReason, env) }
}

/** `dealtReason` is the stored number; null for a song that was not dealt, which comes from the shuffle. */
export function toOffered(row: SongRow, putOff: boolean, dealtReason: number | null, env: Env): OfferedSong {
  const reason: DealReason = putOff ? 'put-off' : (DEALT_REASONS[(dealtReason ?? 1) - 1] ?? 'shuffle')
  return Object.assign(toSong(row, env), { putOff, reason })
}
