import * as z from 'zod'
import { MicrogenreEntry, SongEntry } from '../../catalogue/catalogue.ts'
import { WholeAudio } from '../../contract/shapes.ts'
import { cleanLine } from '../../contract/texts.ts'
import { validationMessages } from '../inputErrors.ts'
import { normalizeLicence } from '../integrations/archive.ts'
import { ISRC, MBID } from '../integrations/musicbrainz.ts'
import { NO_IDS, parseSongAddress, type SongIds } from '../suggestions/songAddress.ts'
import type { Cells, Column } from './columns.ts'
import type { RowFault } from './read.ts'

/** The values of a song. Missing ones are null. */
export interface SongValues {
  key: string | null
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
  audio: WholeAudio | null
  isRetired: boolean | null
}

/** The values of a row, or its first fault. */
export function readSongValues(line: number, row: Cells): SongValues | RowFault {
  const values: Partial<Record<Column, unknown>> = {}
  for (const [column, cell] of Object.entries(withLocalFile(row)) as [Column, string | undefined][]) {
    if (cell === undefined) continue
    const invalid = INVALID_TEXTS.find(({ pattern }) => pattern.test(cell))
    if (invalid) return { line, field: column, reason: invalid.reason, value: null }
    const text = cleanLine(cell).replace(/\s+/g, ' ')
    if (text === '') continue
    const read = CELL_PARSERS[column](text)
    if (!read.success) {
      const reason = read.error.issues[0]?.message ?? 'cannot be read'
      return { line, field: column, reason, value: text.slice(0, 80) }
    }
    values[column] = read.data
  }
  const missing = AUDIO_COLUMNS.filter((column) => values[column] === undefined)
  if (missing[0] && missing.length < AUDIO_COLUMNS.length)
    return { line, field: missing[0], reason: 'is missing', value: null }
  const text = (column: Column) => (values[column] as string | undefined) ?? null
  const number = (column: Column) => (values[column] as number | undefined) ?? null
  return {
    key: text('key'),
    microgenre: text('microgenre'),
    title: text('title'),
    artist: text('artist'),
    year: number('year'),
    youtubeId: text('youtube_id'),
    spotifyId: text('spotify_id'),
    deezerId: text('deezer_id'),
    recordingMbid: text('recording_mbid'),
    isrc: text('isrc'),
    releaseMbid: text('release_mbid'),
    durationMs: number('duration_ms') ?? number('duration'),
    albumArt: text('album_art'),
    audio: z.safeParse(WholeAudio, { ...values, url: values.audio_url }).data ?? null,
    isRetired: (values.retired as boolean | undefined) ?? null,
  }
}

/**
 * Spotify describes local files instead of giving an id: `spotify:local:Artist+Name:Album:Title:225`. The row's own
 * values take precedence.
 */
export function withLocalFile(row: Cells): Cells {
  const local = /^spotify:local:([^:]*):[^:]*:([^:]*):(\d*)$/.exec(row.spotify_id?.trim() ?? '')
  if (!local) return row
  const { spotify_id: _, ...cells } = row
  const [artist, title, seconds] = local.slice(1).map(decodeForm)
  return {
    ...(artist && { artist }),
    ...(title && { title }),
    ...(seconds && !cells.duration_ms && { duration: seconds }),
    ...cells,
  }
}

/** A value of `application/x-www-form-urlencoded`. */
const decodeForm = (text: string) =>
  new URLSearchParams(`text=${text.replaceAll('&', '%26')}`).get('text') ?? ''

/** Characters that the database, pages or exports cannot handle. */
const INVALID_TEXTS = [
  {
    pattern: /\uFFFD|\p{Surrogate}/u,
    reason: 'is not valid UTF-8. --encoding names another, such as windows-1252',
  },
  { pattern: /[^\P{Cc}\t\n\r]/u, reason: 'has control characters' },
]

/** The value of one cell of text; null where it is missing or invalid. */
export function readSongCell(column: Column, cell = ''): string | null {
  if (cell === '' || INVALID_TEXTS.some(({ pattern }) => pattern.test(cell))) return null
  // Of a million rows most have plain letters.
  const text = (/^[ -~]*$/.test(cell) ? cell.trim() : cleanLine(cell)).replace(/\s+/g, ' ')
  const read = text === '' ? null : CELL_PARSERS[column](text)
  return read?.success ? (read.data as string) : null
}

type Result = { success: true; data: unknown } | { success: false; error: z.ZodError }

const { key, title, artist, year, youtube_id, spotify_id, duration_ms } = SongEntry.shape

const DeezerId = z.string().regex(/^\d{1,15}$/, 'must be the number of a Deezer track')
const Mbid = z.string().regex(MBID, 'must be a MusicBrainz id, or its address')
const Isrc = z.string().regex(ISRC, 'must be an ISRC, such as GBAYE6900001')
const WebAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(500, 'must have at most 500 characters')
const AUDIO_COLUMNS = ['audio_url', 'licence', 'attribution'] as const
const Licence = z.string(
  'must be the address of a Creative Commons licence, such as https://creativecommons.org/licenses/by-nc-sa/4.0/',
)
const Retired = z
  .enum(['true', 'false', 'yes', 'no', '1', '0'], { error: 'must be true or false' })
  .transform((text) => ['true', 'yes', '1'].includes(text))

const NoLength = z.never(
  'must be seconds, or a length such as 3:45 or 0:03:45; 3:45:00 may be minutes or hours',
)

const parse = (shape: z.ZodType, text: string | null): Result =>
  z.safeParse(shape, text, { error: validationMessages })

/** Parses each cell by the rules of the starter catalogue. Ids may be URLs. */
const CELL_PARSERS: Record<Column, (text: string) => Result> = {
  key: (text) => parse(key, text),
  microgenre: (text) => parse(MicrogenreEntry.shape.name, text),
  title: (text) => parse(title, text),
  artist: (text) => parse(artist, text),
  year: (text) => parse(year, yearOf(text)),
  youtube_id: (text) => parse(youtube_id, readIds(text).youtubeId ?? text),
  spotify_id: (text) => parse(spotify_id, readIds(text).spotifyId ?? text),
  deezer_id: (text) => parse(DeezerId, readIds(text).deezerTrackId ?? withoutZeroes(text)),
  recording_mbid: (text) => parse(Mbid, readIds(text).recordingMbid ?? text.toLowerCase()),
  isrc: (text) => parse(Isrc, text.toUpperCase().replace(/^ISRC[: ]+|[- ]/g, '')),
  release_mbid: (text) =>
    parse(Mbid, /musicbrainz\.org\/release\/([0-9a-f-]{36})(?![\w-])/i.exec(text)?.[1] ?? text.toLowerCase()),
  duration_ms: (text) => parse(duration_ms, clockOf(text) ?? text.replace(/^(\d{4,})[.,]\d+$/, '$1')),
  duration: (text) => {
    const length = clockOf(text) ?? secondsOf(text)
    return length === null ? parse(NoLength, text) : parse(duration_ms, length)
  },
  album_art: (text) => parse(WebAddress, text),
  audio_url: (text) => parse(WebAddress, text),
  licence: (text) => parse(Licence, normalizeLicence(text)),
  attribution: (text) => parse(artist, text),
  retired: (text) => parse(Retired, withoutZeroes(text.toLowerCase())),
}

const readIds = (text: string): SongIds => {
  if (!/[/:]/.test(text)) return NO_IDS
  const address = parseSongAddress(text)
  return 'ids' in address ? address.ids : NO_IDS
}

/** The year of a date in any format. Spotify writes 0000 for an unknown one. */
function yearOf(text: string): string {
  if (/^[1-9]\d{3}$/.test(text)) return text
  if (/^0+$/.test(text)) return ''
  const date =
    /^(\d{4})(?:[-/.]\d{1,2}){1,2}(?:[T ].*)?$|^(?:(?:\d{1,2}|\p{L}{3,})[-/., ]+){1,3}(\d{4})(?: \d.*)?$/u
  const [, first, last] = date.exec(text) ?? []
  return first ?? last ?? withoutZeroes(text)
}

/** Data frames write whole numbers with decimals, such as 1993.0; three digits may be thousands. */
const withoutZeroes = (text: string) => text.replace(/^(\d+)[.,]0{1,2}$/, '$1')

/** Milliseconds of a length such as `3:45`, or of a time of day such as `00:03:45` or `0 days 00:03:45.120`. */
function clockOf(text: string): string | null {
  if (!text.includes(':')) return null
  const clock =
    /^(?:0 days |1899-12-3\d[T ]|1900-01-0\d[T ])?(?:(\d{1,2}):(?=[0-5]\d:))?(\d{1,3}):([0-5]\d(?:[.,]\d+)?)(?: ?(AM)|Z)?$/i
  const [, hours = '0', minutes, seconds, isMorning] = clock.exec(text) ?? []
  if (minutes === undefined || seconds === undefined) return null
  const wholeHours = isMorning && hours === '12' ? 0 : Number(hours)
  // Spreadsheets store a typed 3:45 as 03:45:00.
  if (wholeHours > 0 && Number(seconds) === 0) return null
  const inSeconds = (wholeHours * 60 + Number(minutes)) * 60 + Number(seconds.replace(',', '.'))
  return String(Math.round(inSeconds * 1000))
}

/** Milliseconds; null where the number may mean minutes, such as 3.45, or milliseconds. */
function secondsOf(text: string): string | null {
  const seconds = /^\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN
  const isClear = seconds < MAX_SECONDS && (seconds >= 30 || Number.isInteger(seconds))
  return isClear ? String(Math.round(seconds * 1000)) : null
}

/** No song takes five hours, but 18,000 may be milliseconds. */
const MAX_SECONDS = 18_000
