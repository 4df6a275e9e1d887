import type { Database } from '../../db/connection.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import type { Deezer, DeezerTrack } from '../../integrations/deezer.ts'
import type { Recording } from '../../integrations/musicbrainz.ts'
import type { ArtistAndTitle } from '../../playback/matchScore.ts'
import type { Ask } from '../askServices.ts'
import { markAsked } from '../askServices.ts'
import { chooseRelease, doLengthsAgree } from './chooseRecording.ts'
import { compareNames } from './names.ts'
import { IDENTITY_PROVIDERS, identityFacts, type UnidentifiedSong } from './unidentified.ts'

/** As in an import: a second to a day. */
const LENGTH_LIMITS = { min: 1000, max: 24 * 3600 * 1000 }

/**
 * Stores a song's recording with its release, ISRC and Deezer track. Existing values stay (catalogue-6). A recording
 * that another song has is reported as a duplicate. Returns what the song got.
 */
export async function storeRecording(
  db: Database,
  deezer: Deezer,
  ask: Ask,
  song: UnidentifiedSong,
  recording: Recording,
): Promise<{ recording: boolean; isrc: boolean }> {
  const confirmed = song.isrc
    ? { track: null }
    : await ask('Deezer', () => confirmIsrc(deezer, song, recording))
  const track = confirmed?.track ?? null
  const lengthMs = recording.lengthMs ?? 0
  const hasValidLength = lengthMs >= LENGTH_LIMITS.min && lengthMs <= LENGTH_LIMITS.max
  try {
    await db`
      update songs s set
        recording_mbid = coalesce(s.recording_mbid, ${recording.mbid}),
        isrc = coalesce(s.isrc, ${track?.isrc ?? null}),
        release_mbid = coalesce(s.release_mbid, ${chooseRelease(recording)?.mbid ?? null}),
        duration_ms = coalesce(s.duration_ms, ${hasValidLength ? lengthMs : null}),
        -- Without a preview a track cannot be played.
        deezer_track_id = coalesce(s.deezer_track_id, ${track?.previewUrl ? track.id : null}),
        album_art = coalesce(s.album_art, ${track?.albumArt ?? null})
      where s.id = ${song.id}`
    const [stored] = await db<{ isComplete: boolean; facts: string }[]>`
      select coalesce(num_nulls(s.isrc, s.release_mbid) = 0, false) as is_complete, ${identityFacts(db)} as facts
      from songs s where s.id = ${song.id}`
    // Ask again later about what no service knows; in the next run if Deezer did not answer.
    if (stored && !stored.isComplete && confirmed) {
      await markAsked(db, IDENTITY_PROVIDERS.search, [{ ...song, facts: stored.facts }])
    }
    return { recording: song.recordingMbid === null, isrc: track !== null }
  } catch (error) {
    if (!isUniqueViolation(error, 'songs_recording_mbid')) throw error
    const [other] = await db<{ key: string }[]>`
      select key from songs where recording_mbid = ${recording.mbid}`
    await markAsked(db, IDENTITY_PROVIDERS.search, [song], {
      reason: 'duplicate',
      detail: other?.key ?? null,
    })
    return { recording: false, isrc: false }
  }
}

/** ISRCs per recording to ask Deezer about. Most recordings have one or two. */
const MAX_ISRCS = 5

/** Whether a track is the song: artist, title and both lengths agree. */
export const isSameTrack = (song: ArtistAndTitle, track: DeezerTrack, lengthMs: number | null): boolean =>
  compareNames(song, track) !== 'other' && doLengthsAgree(track.durationMs, lengthMs) === true

/**
 * Confirms an ISRC of a recording (catalogue-4): Deezer must give it to a track of the same artist, title and length,
 * because labels reuse codes. The track is null when none is confirmed; undefined when Deezer does not answer.
 */
async function confirmIsrc(
  deezer: Deezer,
  song: ArtistAndTitle & { durationMs: number | null; deezerTrackId: string | null },
  recording: Recording,
): Promise<{ track: (DeezerTrack & { isrc: string }) | null } | undefined> {
  if (recording.isrcs.length === 0) return { track: null }
  const confirms = (track: DeezerTrack): track is DeezerTrack & { isrc: string } =>
    track.isrc !== null &&
    recording.isrcs.includes(track.isrc) &&
    isSameTrack(song, track, recording.lengthMs ?? song.durationMs)
  const questions = [
    ...(song.deezerTrackId ? [() => deezer.find(song.deezerTrackId ?? '')] : []),
    ...recording.isrcs.slice(0, MAX_ISRCS).map((isrc) => () => deezer.findByIsrc(isrc)),
  ]
  for (const ask of questions) {
    const answer = await ask()
    if ('error' in answer) return undefined
    const track = answer.tracks.find(confirms)
    if (track) return { track }
  }
  return { track: null }
}
