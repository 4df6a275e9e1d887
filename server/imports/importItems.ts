import { MAX_SONG_TEXT_LENGTH } from '../../contract/suggestions.ts'
import { charactersOf, cleanLine } from '../../contract/texts.ts'
import type { ImportedCollection } from '../collections/importCollections.ts'
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
  | 'mix'
  | 'file'

export type ImportItem = ImportedSong | { leftOut: LeftOutReason } | { collection: ImportedCollection }

/** The file is well-formed, but of another kind. In an archive it is skipped. */
export class UnknownContent extends BadInput {}

/** It says what the listener can do, also when an archive has other files. */
export class HelpfulRefusal extends UnknownContent {}

/** Says that a table's columns are unknown, so that the listener can name them. */
export class UnknownColumns extends HelpfulRefusal {
  readonly header: string[]
  constructor(header: string[]) {
    super('The columns of this table are unknown. Please choose those of title and artist.')
    this.header = header.slice(0, 50).map((name) => shorten(name, 80))
  }
}

/** What the readers of a file need. */
export interface ReadContext {
  /** Such as `title=Track,artist=Band`. */
  columns: string
  now: Date
  /** What was recognised so far, for people: 'Spotify, extended history'. */
  sources: Set<string>
  progress: { bytes: number; size: number }
  /** Bytes that archives unpacked to so far. */
  unpacked: number
}

/**
 * Reads each part of a file. One without songs is skipped, and one that breaks off is counted, as is one that the listener
 * could choose in another form, by the reason `another`.
 * @throws BadInput that says why none was read: what helps, else `nothing`.
 */
export async function* readEach<T>(
  parts: T[],
  read: (part: T) => AsyncIterable<ImportItem>,
  nothing: string,
  another?: LeftOutReason,
): AsyncGenerator<ImportItem> {
  let refusal = new UnknownContent(nothing)
  let isRead = false
  for (const part of parts) {
    try {
      for await (const item of read(part)) {
        isRead = true
        yield item
      }
    } catch (error) {
      if (!(error instanceof BadInput)) throw error
      if (error instanceof HelpfulRefusal || !(error instanceof UnknownContent)) refusal = error
      if (!(error instanceof UnknownContent)) yield { leftOut: 'unreadable' }
      else if (another && error instanceof HelpfulRefusal) yield { leftOut: another }
    }
  }
  if (!isRead) throw refusal
}

/** The values of a row before they are checked. */
export type RawSong = Partial<Record<RawField, unknown>> & { verdict: Verdict }
export type RawField = Column | 'addresses' | 'at' | 'plays' | 'ms' | 'seconds'

/** A play of less is none. */
const MIN_PLAY_MS = 30_000

/** Checks the values of a row. What is no valid id is ignored. */
export function toItem(raw: RawSong, { now }: ReadContext): ImportItem {
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
  const [isoDate, isoDay] = /^\d{4}-\d\d-(\d\d)/.exec(text) ?? []
  // V8 takes 31 February for a day of March.
  if (isoDate && new Date(isoDate).getUTCDate() !== Number(isoDay)) return Number.NaN
  if (WRITTEN_TIME.test(text))
    return Date.parse(/(Z|UTC|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text.replace(/T(?=\d)/i, ' ')} UTC`)
  const [, one = '', sign, two = '', year, hour = 0, minute = 0] = TYPED_TIME.exec(text) ?? []
  const isDayFirst = sign === '.' || Number(one) > 12 || one === two
  // 03/04 may be March or April.
  if (!year || !(isDayFirst || Number(two) > 12)) return null
  const [day, month] = isDayFirst ? [one, two] : [two, one]
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)))
  // 31 February would be in March.
  return date.getUTCDate() === Number(day) ? date.getTime() : Number.NaN
}

const WRITTEN_TIME = /^(\d{4}-\d\d-\d\d|\d{1,2} [a-z]{3,9} \d{4})(,?[T ]\d\d:\d\d.{0,20})?$/i
const TYPED_TIME = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[ ,]+(\d{1,2}):(\d\d)(?::\d\d)?)?$/

/** Seconds, milliseconds or microseconds since 1970, 20250301, or the days of a spreadsheet. Zero is no time. */
function timeOfNumber(number: number, text: string): number | null {
  if (number === 0) return null
  if (/^(19|20)\d{6}$/.test(text)) return Date.parse(text.replace(/(....)(..)(..)/, '$1-$2-$3'))
  if (number < 80_000) return Date.UTC(1899, 11, 30) + number * DAY
  return number >= 1e14 ? number / 1000 : number >= 1e11 ? number : number * 1000
}

/** A text of a file on one line, as PostgreSQL can store it. */
export const shorten = (text: string, max = MAX_SONG_TEXT_LENGTH) =>
  charactersOf(cleanLine(text.slice(0, 10_000).replace(/[\0\p{Surrogate}]/gu, '')))
    .slice(0, max)
    .join('')
