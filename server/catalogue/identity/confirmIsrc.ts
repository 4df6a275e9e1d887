import type { Deezer, DeezerTrack } from '../../integrations/deezer.ts'
import type { Recording } from '../../integrations/musicbrainz.ts'
import { agreeInLength } from './chooseRecording.ts'
import { compareNames, type Named } from './names.ts'

/** ISRCs of one recording that Deezer is asked about. Most recordings have one or two. */
const MOST_ISRCS = 5

/** Whether a track is the song: artist and title agree, and the lengths, which both must be known. */
export const agreesWith = (song: Named, track: DeezerTrack, lengthMs: number | null): boolean =>
  compareNames(song, track) !== 'other' && agreeInLength(track.durationMs, lengthMs) === true

/**
 * The ISRC of a recording (catalogue-4): one that Deezer gives to a track of the same artist, title and length too,
 * because labels have given one code to several recordings. The track is null when no ISRC is confirmed. Undefined when
 * Deezer does not answer.
 */
export async function confirmIsrc(
  deezer: Deezer,
  song: Named & { durationMs: number | null; deezerTrackId: string | null },
  recording: Recording,
): Promise<{ track: (DeezerTrack & { isrc: string }) | null } | undefined> {
  if (recording.isrcs.length === 0) return { track: null }
  const confirms = (track: DeezerTrack): track is DeezerTrack & { isrc: string } =>
    track.isrc !== null &&
    recording.isrcs.includes(track.isrc) &&
    agreesWith(song, track, recording.lengthMs ?? song.durationMs)
  const questions = [
    ...(song.deezerTrackId ? [() => deezer.find(song.deezerTrackId ?? '')] : []),
    ...recording.isrcs.slice(0, MOST_ISRCS).map((isrc) => () => deezer.findByIsrc(isrc)),
  ]
  for (const ask of questions) {
    const answer = await ask()
    if ('error' in answer) return undefined
    const track = answer.tracks.find(confirms)
    if (track) return { track }
  }
  return { track: null }
}
