import type { DeskCase, SongChanges } from '../../contract/desk.ts'
import { MAX_SONG_TEXT_LENGTH } from '../../contract/suggestions.ts'

/** A song of the catalogue, or a suggested one. */
export type CorrectableSong = NonNullable<DeskCase['song'] | DeskCase['suggestion']>

/** The values as they are typed: an unknown one is empty. */
export type SongDraft = Record<keyof SongChanges, string>

/** In the order of the form. */
export const TEXT_FIELDS = [
  { name: 'title', maxLength: MAX_SONG_TEXT_LENGTH },
  { name: 'artist', maxLength: MAX_SONG_TEXT_LENGTH },
  { name: 'year', maxLength: 4, inputMode: 'numeric' },
  { name: 'youtubeId', maxLength: 11 },
  { name: 'spotifyId', maxLength: 22 },
  { name: 'deezerTrackId', maxLength: 15 },
  { name: 'recordingMbid', maxLength: 36 },
] as const

export function createSongDraft(song: CorrectableSong): SongDraft {
  const { title, artist, year, microgenreId, youtubeId, spotifyId, deezerTrackId, recordingMbid } = song
  return {
    title,
    artist,
    year: year === null ? '' : String(year),
    microgenreId,
    youtubeId: youtubeId ?? '',
    spotifyId: spotifyId ?? '',
    deezerTrackId: deezerTrackId ?? '',
    recordingMbid: recordingMbid ?? '',
  }
}

/** Only what differs. An emptied title or artist is no change; any other emptied value becomes unknown. */
export function getChanges(song: CorrectableSong, draft: SongDraft): SongChanges {
  const before = createSongDraft(song)
  const changes: Record<string, string | number | null> = {}
  for (const name of Object.keys(before) as (keyof SongDraft)[]) {
    const text = draft[name].trim()
    if (text === before[name] || (text === '' && REQUIRED_FIELDS.has(name))) continue
    // The server refuses an invalid year, with the reason.
    changes[name] = text === '' ? null : name === 'year' && /^\d+$/.test(text) ? Number(text) : text
  }
  return changes as SongChanges
}

const REQUIRED_FIELDS: ReadonlySet<keyof SongDraft> = new Set(['title', 'artist', 'microgenreId'])
