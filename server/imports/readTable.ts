import { chooseColumns, normalizeHeader, readCell, readMapping } from '../songFiles/columns.ts'
import { detectSeparator } from '../songFiles/openRows.ts'
import { fitsHeader, readRecords } from '../songFiles/readDelimited.ts'
import { type ImportItem, type ReadContext, UnknownColumns, UnknownContent } from './importItems.ts'
import { extraOf, listShape } from './lists.ts'
import { looksLikeLines, readPlaylistLines } from './readPlaylistLines.ts'
import {
  LASTFM_WITHOUT_HEADER,
  ROCKBOX,
  type Row,
  readRow,
  type Shape,
  TABLE_SHAPES,
  YOUTUBE_LIBRARY,
  YOUTUBE_PLAYLIST,
} from './shapes.ts'

/** Reads a table or a list of lines. */
export async function* readTextFile(
  head: string,
  chunks: AsyncIterable<Buffer>,
  context: ReadContext,
): AsyncGenerator<ImportItem> {
  const isRockbox = head.startsWith('#AUDIOSCROBBLER')
  const delimiter = isRockbox ? '\t' : detectSeparator(head, [',', ';', '\t', '|'])
  const [first = ''] = head.split('\n', 1)
  const isHeader =
    findLayout([first.split(delimiter).map((name) => name.replaceAll('"', ''))], context) !== null
  if (!isRockbox && !isHeader && looksLikeLines(head)) yield* readPlaylistLines(chunks, context)
  else yield* readTable(recordsOf(chunks, delimiter), context, isRockbox ? ROCKBOX_LAYOUT : undefined)
}

async function* recordsOf(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<string[]> {
  for await (const { record } of readRecords(chunks, { delimiter, isQuoted: delimiter !== '\t' }))
    yield record
}

/** What the columns of a table mean. */
interface Layout {
  shape: Shape
  /** Null without a header. */
  header: string[] | null
  /** The first record that is a row. */
  start: number
  toRow(record: string[]): Row
}

const toPlaces = (record: string[]): Row => ({ ...record })
const ROCKBOX_LAYOUT: Layout = { shape: ROCKBOX, header: null, start: 0, toRow: toPlaces }

const SAMPLE_SIZE = 30

/** @throws UnknownColumns */
export async function* readTable(
  records: AsyncIterable<string[]>,
  context: ReadContext,
  known?: Layout,
): AsyncGenerator<ImportItem> {
  let layout = known ?? null
  let sample: string[][] = []
  const chosen = () => {
    const found = layout ?? findLayout(sample, context)
    if (!found) throw sample[0] ? new UnknownColumns(sample[0]) : new UnknownContent('The file is empty.')
    if (!layout) sample = sample.slice(found.start)
    layout = found
    context.found(found.shape.source)
    return found
  }
  for await (const record of records) {
    sample.push(record)
    if (sample.length < SAMPLE_SIZE && !layout) continue
    const found = chosen()
    for (const row of sample) yield* readRecord(row, found, context)
    sample = []
  }
  const found = chosen()
  for (const row of sample) yield* readRecord(row, found, context)
}

function* readRecord(
  record: string[],
  { shape, header, toRow }: Layout,
  { now }: ReadContext,
): Generator<ImportItem> {
  if (shape === ROCKBOX && record[0]?.startsWith('#')) return
  // Files that were joined repeat it.
  if (header?.every((name, index) => name === record[index])) return
  if (header && !fitsHeader(record, header)) yield { leftOut: 'unreadable' }
  else yield readRow(shape, toRow(record), now)
}

/** Above the header a file may describe its list. */
const MAX_LINES_ABOVE = 10

function findLayout(sample: string[][], context: ReadContext): Layout | null {
  const [first = [], ...rows] = sample
  const youtube = youtubeLayout(first, rows)
  if (youtube?.shape === YOUTUBE_PLAYLIST) return youtube
  for (const [index, header] of sample.slice(0, MAX_LINES_ABOVE).entries()) {
    const layout = ownLayout(header) ?? listLayout(header, context)
    if (layout) return { ...layout, start: index + 1 }
  }
  if (first.length === 4 && /^\d{1,2} \w{3} \d{4},? \d\d:\d\d$/.test(first[3] ?? ''))
    return { shape: LASTFM_WITHOUT_HEADER, header: null, start: 0, toRow: toPlaces }
  return youtube
}

function ownLayout(header: string[]): Layout | null {
  const names = header.map(normalizeHeader)
  const shape = TABLE_SHAPES.find(({ has }) => has.every((name) => names.includes(name)))
  if (!shape) return null
  const toRow = (record: string[]) => {
    const row: Row = {}
    names.forEach((name, index) => {
      row[name] ??= record[index]
    })
    return row
  }
  return { shape, header, start: 1, toRow }
}

/** A list with a title, and an artist or id; or with few columns and an id. */
function listLayout(header: string[], { columns: mapping }: ReadContext): Layout | null {
  const columns = chooseColumns(header, readMapping(mapping))
  const has = (column: string) => columns.some((named) => named?.column === column)
  const hasId = ['spotify_id', 'youtube_id', 'recording_mbid', 'isrc'].some(has)
  if (has('title') ? !(has('artist') || hasId) : !(hasId && header.length <= MAX_COLUMNS_OF_IDS)) return null
  const extras = header.map(extraOf)
  const furtherArtists = header.map((name) => /^artistname[2-9]$/.test(normalizeHeader(name)))
  const toRow = (record: string[]) => {
    const row: Row = {}
    columns.forEach((named, index) => {
      const cell = unescapeCell(record[index] ?? '')
      const extra = extras[index]
      if (named) row[named.column] = readCell(named, cell)
      else if (extra) row[extra] ??= cell.trim()
      else if (furtherArtists[index] && cell) row.artist = `${row.artist}, ${cell}`
    })
    return row
  }
  return { shape: listShape('Table', header.map(normalizeHeader)), header, start: 1, toRow }
}

/** Other tables of YouTube have ids of videos, too: comments, uploads, live chats. */
const MAX_COLUMNS_OF_IDS = 3

/** Our own files keep spreadsheets from running a cell. */
const unescapeCell = (cell: string) => (/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell)

/** YouTube's tables in another language, by their ids. */
function youtubeLayout(header: string[], rows: string[][]): Layout | null {
  const ids = rows.map(([id = '']) => id.trim())
  if (
    ids.length === 0 ||
    !ids.every((id) => /^[\w-]{11}$/.test(id)) ||
    ids.every((id) => /^[A-Z]?[a-z]+$/.test(id))
  )
    return null
  const isDated = rows.every((row) => /^\d{4}-\d\d-\d\d/.test(row[1] ?? ''))
  const isNamed = rows.every((row) => [1, 3].every((place) => /\p{L}/u.test(row[place] ?? '')))
  const shape =
    header.length === 2 && isDated
      ? YOUTUBE_PLAYLIST
      : header.length >= 4 && isNamed && !isDated
        ? YOUTUBE_LIBRARY
        : null
  return shape && { shape, header, start: 1, toRow: toPlaces }
}
