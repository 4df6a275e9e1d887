import { createHash } from 'node:crypto'
import type { Cells } from '../songFiles/columns.ts'
import type { RowFault } from '../songFiles/read.ts'
import { readSongValues, type SongValues } from '../songFiles/songValues.ts'
import { foldName, slugOf } from './spelling.ts'

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

type SongIdentity = Pick<
  SongValues,
  'title' | 'artist' | 'microgenre' | 'youtubeId' | 'spotifyId' | 'deezerId' | 'recordingMbid'
>

const MAX_KEY_LENGTH = 80
const HASH_LENGTH = 16

/**
 * Derives a key from a song's id, so that it stays the same when texts are corrected; without an id from artist,
 * title and microgenre.
 */
export function deriveKey(song: SongIdentity): string {
  const hash = createHash('sha256').update(identityOf(song)).digest('hex').slice(0, HASH_LENGTH)
  const prefix = namedKey(song)
    .slice(0, MAX_KEY_LENGTH - HASH_LENGTH - 1)
    .replace(/-$/, '')
  return prefix ? `${prefix}-${hash}` : hash
}

/** The key of a song in the starter catalogue: artist and title. */
export function namedKey({ artist, title }: Pick<SongIdentity, 'artist' | 'title'>): string {
  return slugOf(`${artist ?? ''} ${title ?? ''}`)
    .slice(0, MAX_KEY_LENGTH)
    .replace(/-$/, '')
}

function identityOf(song: SongIdentity): string {
  const { youtubeId, spotifyId, deezerId, recordingMbid, microgenre, artist, title } = song
  if (youtubeId) return `youtube ${youtubeId}`
  if (spotifyId) return `spotify ${spotifyId}`
  if (deezerId) return `deezer ${deezerId}`
  if (recordingMbid) return `recording ${recordingMbid}`
  return [microgenre, artist, title].map((text) => foldName(text ?? '')).join('\n')
}
