import { BadInput } from '../inputErrors.ts'
import { type Cells, COLUMNS, type Column } from '../songFiles/columns.ts'
import { readSongCell, withLocalFile } from '../songFiles/songValues.ts'
import { NO_IDS, parseSongAddress } from '../suggestions/songAddress.ts'

/** A love, a dislike, or only a play. */
export type Verdict = 'banger' | 'bust' | null

/** A row of a file. Nothing else of the file leaves the reader. */
export interface ImportedSong {
  /** Title and artist are empty when the file has only ids. */
  title: string
  artist: string
  isrc: string | null
  recordingMbid: string | null
  spotifyId: string | null
  youtubeId: string | null
  verdict: Verdict
  at: Date | null
  plays: number
  /** By its name; only our own files have it. */
  microgenre: string | null
}

export interface ImportedCollection {
  name: string
  description: string | null
  isPublic: boolean
  /** By their names, in order. */
  microgenres: string[]
  createdAt: Date | null
}

export type LeftOutReason =
  | 'short'
  | 'private'
  | 'no name'
  | 'no artist'
  | 'not music'
  | 'local file'
  | 'bad date'
  | 'unreadable'
  | 'not played'
  | 'not loved'

export type ImportItem = ImportedSong | { leftOut: LeftOutReason } | { collection: ImportedCollection }

/** The file is well-formed, but of another kind. In an archive it is skipped. */
export class UnknownContent extends BadInput {}

/** Says that a table's columns are unknown, so that the listener can name them. */
export class UnknownColumns extends UnknownContent {
  readonly header: string[]
  constructor(header: string[]) {
    super('The columns of this table are unknown. Please choose those of title and artist.')
    this.header = header.slice(0, 50).map((name) => name.slice(0, 80))
  }
}

/** What the readers of a file need. */
export interface ReadContext {
  /** Such as `title=Track,artist=Band`. */
  columns: string
  now: Date
  /** Called with the name of what was recognised. */
  found(source: string): void
}

/** The values of a row before they are checked. */
export type RawSong = Partial<Record<RawField, unknown>> & { verdict: Verdict }
export type RawField = Column | 'addresses' | 'at' | 'plays' | 'ms' | 'seconds'

/** A play of less is none. */
const MIN_PLAY_MS = 30_000

/** Checks the values of a row. What is no valid id is ignored. */
export function toItem(raw: RawSong, now: Date): ImportItem {
  const played = raw.ms === undefined ? numberOf(raw.seconds) * 1000 : numberOf(raw.ms)
  if (!raw.verdict && played < MIN_PLAY_MS) return { leftOut: 'short' }
  const plays = raw.plays === undefined ? (raw.verdict ? 0 : 1) : numberOf(raw.plays)
  if (!raw.verdict && plays < 1) return { leftOut: 'not played' }
  const at = readTime(raw.at, now)
  if (at === 'bad') return { leftOut: 'bad date' }
  const cells = readCells(raw)
  const value = (column: Column) => readSongCell(column, cells[column])
  const ids = idsOf(raw.addresses)
  const song: ImportedSong = {
    title: value('title') ?? '',
    artist: value('artist') ?? '',
    isrc: value('isrc'),
    recordingMbid: value('recording_mbid') ?? ids.recordingMbid,
    spotifyId: value('spotify_id') ?? ids.spotifyId,
    youtubeId: value('youtube_id') ?? ids.youtubeId,
    verdict: raw.verdict,
    at,
    plays: Number.isFinite(plays) ? Math.max(0, Math.min(Math.floor(plays), MAX_PLAYS)) : 1,
    microgenre: value('microgenre'),
  }
  if (song.isrc || song.recordingMbid || song.spotifyId || song.youtubeId) return song
  if (song.title && song.artist) return song
  if (/^spotify:local:/.test(String(raw.spotify_id))) return { leftOut: 'local file' }
  if ((cells.title && !song.title) || (cells.artist && !song.artist)) return { leftOut: 'unreadable' }
  return { leftOut: song.title ? 'no artist' : 'no name' }
}

const MAX_PLAYS = 1_000_000

function readCells(raw: RawSong): Cells {
  const cells: Cells = {}
  for (const column of COLUMNS) {
    const text = textOf(raw[column]).trim()
    if (text) cells[column] = text
  }
  return withLocalFile(cells)
}

/** Texts and numbers: an album may be called 1989. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Infinite where there is none. */
const numberOf = (value: unknown): number =>
  textOf(value).trim() === '' || Number.isNaN(Number(value)) ? Number.POSITIVE_INFINITY : Number(value)

function idsOf(addresses: unknown) {
  if (!addresses) return NO_IDS
  const ids = { ...NO_IDS }
  for (const address of [addresses].flat()) {
    const text = textOf(address).trim()
    const song = text && text.length < 500 ? parseSongAddress(text) : { ids: NO_IDS }
    if ('ids' in song) for (const key of Object.keys(ids) as (keyof typeof ids)[]) ids[key] ??= song.ids[key]
  }
  return ids
}

/** No service counted plays before. Clocks that were wrong say 1970, spreadsheets 1899. */
const MIN_TIME = Date.UTC(2000)
const DAY = 86_400_000

/**
 * Reads the time of a play or love: null where the file has none or it may mean two days, 'bad' where it cannot be.
 * Times without a zone are taken as UTC.
 */
export function readTime(value: unknown, now: Date): Date | null | 'bad' {
  const text = textOf(value).trim()
  const time = timeOf(text)
  if (time === null) return null
  if (!(time >= MIN_TIME && time <= now.getTime() + DAY)) return 'bad'
  return new Date(Math.min(time, now.getTime()))
}

/** Milliseconds, not a number where the day does not exist. */
function timeOf(text: string): number | null {
  if (/^\d+([.,]\d+)?(e\+?\d+)?$/i.test(text)) return timeOfNumber(Number(text.replace(',', '.')), text)
  const [, ...iso] = ISO_TIME.exec(text) ?? []
  if (iso.length > 0) return toTime(iso[0], iso[1], iso[2], iso[3], iso[4])
  const [, namedDay, name = '', namedYear, namedClock] = NAMED_TIME.exec(text) ?? []
  const month = MONTHS.indexOf(name.toLowerCase()) / 3 + 1
  if (namedDay && month >= 1) return toTime(namedYear, String(month), namedDay, namedClock)
  const [, one = '', sign, two = '', year, clock] = TYPED_TIME.exec(text) ?? []
  if (!year) return null
  if (sign === '.' || Number(one) > 12 || one === two) return toTime(year, two, one, clock)
  // 03/04 may be March or April.
  return Number(two) > 12 ? toTime(year, one, two, clock) : null
}

const ISO_TIME =
  /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|UTC|[+-]\d\d:?\d\d)?$/i
const NAMED_TIME = /^(\d{1,2}) ([a-z]{3})[a-z]* (\d{4})(?:,? (\d\d:\d\d(?::\d\d)?))?$/i
const TYPED_TIME = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[ ,]+(\d{1,2}:\d\d)(?::\d\d)?)?$/
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'

/** Seconds, milliseconds or microseconds since 1970, 20250301, or the days of a spreadsheet. Zero is no time. */
function timeOfNumber(number: number, text: string): number | null {
  if (number === 0) return null
  const [, year, month, day] = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  if (year) return toTime(year, month, day)
  if (number < 80_000) return Date.UTC(1899, 11, 30) + number * DAY
  return number >= 1e14 ? number / 1000 : number >= 1e11 ? number : number * 1000
}

function toTime(year = '', month = '', day = '', clock = '00:00', zone = 'Z'): number {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const midnight = Date.parse(`${date}T00:00Z`)
  // 31 February would be in March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return Number.NaN
  return Date.parse(`${date}T${clock.padStart(5, '0')}${zone.toUpperCase() === 'UTC' ? 'Z' : zone}`)
}
