import * as z from 'zod'
import { MicrogenreEntry, SongEntry } from '../../catalogue/catalogue.ts'
import { cleanLine } from '../../contract/texts.ts'
import { faultWords } from '../faultWords.ts'
import { ISRC, MBID } from '../integrations/musicIds.ts'
import type { Fault } from './fault.ts'
import type { Cells, Column } from './reading/columns.ts'
import { deriveKey, namedKey } from './songKeys.ts'

/** A row that can be a song. Missing values are null; the database may have them. */
export interface SongRow {
  line: number
  key: string
  /** Whether the file gave the key; otherwise it is derived. */
  isKeyGiven: boolean
  /** For a row without ids: the key it would have in the starter catalogue. */
  namedKey: string | null
  /** As the file writes it. */
  microgenre: string | null
  title: string | null
  artist: string | null
  year: number | null
  youtubeId: string | null
  spotifyId: string | null
  deezerId: string | null
  recordingMbid: string | null
  isrc: string | null
  releaseMbid: string | null
  durationMs: number | null
  albumArt: string | null
  isRetired: boolean | null
}

/** The row as a song, or its first fault. */
export function readSongRow(line: number, cells: Cells): SongRow | Fault {
  const values: Partial<Record<Column, unknown>> = {}
  for (const [column, cell] of Object.entries(cells) as [Column, string | undefined][]) {
    if (cell === undefined) continue
    const invalid = INVALID.find(({ pattern }) => pattern.test(cell))
    if (invalid) return { line, field: column, reason: invalid.reason, value: null }
    const text = cleanLine(cell.normalize('NFC')).replace(/\s+/g, ' ')
    if (text === '') continue
    const read = READ[column](text)
    if (!read.success) {
      const reason = read.error.issues[0]?.message ?? 'cannot be read'
      return { line, field: column, reason, value: text.slice(0, 80) }
    }
    values[column] = read.data
  }
  const text = (column: Column) => (values[column] as string | undefined) ?? null
  const number = (column: Column) => (values[column] as number | undefined) ?? null
  const song = {
    microgenre: text('microgenre'),
    title: text('title'),
    artist: text('artist'),
    youtubeId: text('youtube_id'),
    spotifyId: text('spotify_id'),
    deezerId: text('deezer_id'),
    recordingMbid: text('recording_mbid'),
  }
  const key = text('key')
  const hasId = Boolean(song.youtubeId || song.spotifyId || song.deezerId || song.recordingMbid)
  if (!key && !hasId && !(song.title && song.artist)) {
    return { line, field: song.title ? 'artist' : 'title', reason: 'is missing', value: null }
  }
  return {
    line,
    key: key ?? deriveKey(song),
    isKeyGiven: key !== null,
    namedKey: key || hasId ? null : namedKey(song) || null,
    ...song,
    isrc: text('isrc'),
    releaseMbid: text('release_mbid'),
    year: number('year'),
    durationMs: number('duration_ms') ?? number('duration'),
    albumArt: text('album_art'),
    isRetired: (values.retired as boolean | undefined) ?? null,
  }
}

/** Characters that the database, a page or the export cannot handle. */
const INVALID = [
  { pattern: /\uFFFD|\p{Surrogate}/u, reason: 'is not valid UTF-8' },
  { pattern: /[^\P{Cc}\t\n\r]/u, reason: 'has control characters' },
]

type Result = { success: true; data: unknown } | { success: false; error: z.ZodError }

const { key, title, artist, year, youtube_id, spotify_id, duration_ms } = SongEntry.shape

const DeezerId = z.string().regex(/^\d{1,15}$/, 'must be the number of a Deezer track')
const Mbid = z.string().regex(MBID, 'must be a MusicBrainz id, or its address')
const Isrc = z.string().regex(ISRC, 'must be an ISRC, such as GBAYE6900001')
const AlbumArt = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(500, 'must have at most 500 characters')
const Retired = z
  .enum(['true', 'false', 'yes', 'no', '1', '0'], { error: 'must be true or false' })
  .transform((text) => ['true', 'yes', '1'].includes(text))

const parse = (shape: z.ZodType, text: string): Result => z.safeParse(shape, text, { error: faultWords })

/** Parses each cell by the rules of the starter catalogue. Ids may be given as URLs. */
const READ: Record<Column, (text: string) => Result> = {
  key: (text) => parse(key, text),
  microgenre: (text) => parse(MicrogenreEntry.shape.name, text),
  title: (text) => parse(title, text),
  artist: (text) => parse(artist, text),
  year: (text) => parse(year, /^(\d{4})-\d\d(-\d\d.*)?$/.exec(text)?.[1] ?? text),
  youtube_id: (text) =>
    parse(
      youtube_id,
      /(?:youtu\.be\/|youtube(?:-nocookie)?\.com\/(?:watch\?(?:.*&)?v=|embed\/|shorts\/|v\/))([\w-]{11})(?![\w-])/.exec(
        text,
      )?.[1] ?? text,
    ),
  spotify_id: (text) =>
    parse(
      spotify_id,
      /(?:spotify:track:|spotify\.com\/(?:[\w-]+\/)?track\/)(\w{22})(?!\w)/.exec(text)?.[1] ?? text,
    ),
  deezer_id: (text) => parse(DeezerId, /deezer\.com\/(?:\w+\/)?track\/(\d+)/.exec(text)?.[1] ?? text),
  recording_mbid: (text) => parse(Mbid, mbidOf('recording', text)),
  isrc: (text) => parse(Isrc, text.toUpperCase().replace(/^ISRC[: ]+|[- ]/g, '')),
  release_mbid: (text) => parse(Mbid, mbidOf('release', text)),
  duration_ms: (text) => parse(duration_ms, text),
  duration: (text) => parse(duration_ms, millisecondsOf(text)),
  album_art: (text) => parse(AlbumArt, text),
  retired: (text) => parse(Retired, text.toLowerCase()),
}

/** The id of an address such as https://musicbrainz.org/recording/UUID, else the text, in lower case. */
function mbidOf(entity: 'recording' | 'release', text: string): string {
  const address = new RegExp(`musicbrainz\\.org/${entity}/([0-9a-f-]{36})(?![\\w-])`)
  return address.exec(text.toLowerCase())?.[1] ?? text.toLowerCase()
}

/** `3:45`, `1:02:03` or seconds, as milliseconds. Anything else is returned unchanged and rejected later. */
function millisecondsOf(text: string): string {
  const parts = /^(?:(\d{1,2}):)?(\d{1,2}):(\d\d)$/.exec(text)
  if (parts) {
    const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0))
    return String(((hours * 60 + minutes) * 60 + seconds) * 1000)
  }
  return /^\d+(\.\d+)?$/.test(text) ? String(Math.round(Number(text) * 1000)) : text
}
