import type { Cells } from '../songFiles/columns.ts'
import type { RowFault } from '../songFiles/read.ts'
import { readSongValues, type SongValues } from '../songFiles/songValues.ts'
import { deriveKey, namedKey } from './songKeys.ts'

/** A row that can be a song. Missing values are null; the database may have them. */
export interface SongRow extends SongValues {
  line: number
  key: string
  /** Whether the key is from the file, not derived. */
  isKeyGiven: boolean
  /** For a row without ids: its key in the starter catalogue. */
  namedKey: string | null
}

/** The row as a song, or its first fault. */
export function readSongRow(line: number, cells: Cells): SongRow | RowFault {
  const song = readSongValues(line, cells)
  if ('reason' in song) return song
  const { key } = song
  const hasId = Boolean(song.youtubeId || song.spotifyId || song.deezerId || song.recordingMbid)
  if (!key && !hasId && !(song.title && song.artist)) {
    return { line, field: song.title ? 'artist' : 'title', reason: 'is missing', value: null }
  }
  return {
    ...song,
    line,
    key: key ?? deriveKey(song),
    isKeyGiven: key !== null,
    namedKey: key || hasId ? null : namedKey(song) || null,
  }
}
