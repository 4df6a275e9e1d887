import { chooseColumns, normalizeHeader, readCell, readMapping } from '../songFiles/columns.ts'
import { detectSeparator } from '../songFiles/openRows.ts'
import { fitsHeader, readRecords } from '../songFiles/readDelimited.ts'
import {
  type ImportItem,
  type ReadContext,
  textOf,
  UnknownColumns,
  UnknownContent,
  type Verdict,
} from './importItems.ts'
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
  if (head.startsWith('#AUDIOSCROBBLER'))
    return yield* readTable(recordsOf(chunks, '\t'), context, byPlace(ROCKBOX))
  const delimiter = detectSeparator(head, [',', ';', '\t', '|'])
  const [first = ''] = head.split('\n', 1)
  const header = first.split(delimiter).map((name) => name.replaceAll('"', ''))
  if (!findLayout([header], context) && looksLikeLines(head)) yield* readPlaylistLines(chunks, context)
  else yield* readTable(recordsOf(chunks, delimiter), context)
}

async function* recordsOf(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<string[]> {
  for await (const { record } of readRecords(chunks, { delimiter, isQuoted: delimiter !== '\t' }))
    yield record
}

/** What the columns of a table mean. */
interface Layout {
  shape: Shape
  /** Null without a header, which all rows are below. */
  header: string[] | null
  toRow(record: string[]): Row
}

/** Fields are the places of columns. */
const byPlace = (shape: Shape, header: string[] | null = null): Layout => ({
  shape,
  header,
  toRow: (record) => ({ ...record }),
})

const SAMPLE_SIZE = 30

/** @throws UnknownColumns, or UnknownContent when nothing names columns */
export async function* readTable(
  records: AsyncIterable<string[]>,
  context: ReadContext,
  known?: Layout,
): AsyncGenerator<ImportItem> {
  let layout = known ?? null
  const sample: string[][] = []
  for await (const record of records) {
    if (layout) yield* readRecord(record, layout, context)
    else if (sample.push(record) === SAMPLE_SIZE) {
      layout = requireLayout(sample, context)
      for (const one of sample) yield* readRecord(one, layout, context)
    }
  }
  if (layout) return
  layout = requireLayout(sample, context)
  for (const one of sample) yield* readRecord(one, layout, context)
}

function requireLayout(sample: string[][], context: ReadContext): Layout {
  const layout = findLayout(sample, context)
  if (!layout) {
    const [first] = sample
    if (!first) throw new UnknownContent('The file is empty.')
    throw isHeader(first, sample)
      ? new UnknownColumns(first)
      : new UnknownContent('The file has no list of songs.')
  }
  // Above the header a file may describe its list.
  if (layout.header) sample.splice(0, sample.indexOf(layout.header))
  return layout
}

/** Whether the first line may name columns. It is stored, so it must hold no row, and no text of a listener's. */
const isHeader = (first: string[], sample: string[][]) =>
  first.filter(Boolean).length > 1 &&
  first.every((name) => name.length <= 60 && !/\d\d|@|:\/\//.test(name)) &&
  sample.length > 1 &&
  sample.every((record) => fitsHeader(record, first))

function* readRecord(
  record: string[],
  { shape, header, toRow }: Layout,
  context: ReadContext,
): Generator<ImportItem> {
  if (shape === ROCKBOX && record[0]?.startsWith('#')) return
  // Files that were joined repeat it.
  if (header?.every((name, index) => name === record[index])) return
  if (header && !fitsHeader(record, header)) yield { leftOut: 'unreadable' }
  else yield readRow(shape, toRow(record), context)
}

const MAX_LINES_ABOVE = 10

function findLayout(sample: string[][], context: ReadContext): Layout | null {
  const [first = [], ...rows] = sample
  const youtube = youtubeLayout(first, rows)
  if (youtube?.shape === YOUTUBE_PLAYLIST) return youtube
  for (const header of sample.slice(0, MAX_LINES_ABOVE)) {
    const layout = ownLayout(header) ?? listLayout(header, context)
    if (layout) return layout
  }
  const isLastfm = first.length === 4 && /^\d{1,2} \w{3} \d{4},? \d\d:\d\d$/.test(first[3] ?? '')
  return isLastfm ? byPlace(LASTFM_WITHOUT_HEADER) : youtube
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
  return { shape, header, toRow }
}

/** A list with a title, and an artist or id; or with few columns and an id. `source` is of one that no service writes. */
export function listLayout(
  header: string[],
  { columns: mapping }: ReadContext,
  source = 'Table',
): Layout | null {
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
  return { shape: listShape(source, header.map(normalizeHeader)), header, toRow }
}

/** Other tables of YouTube have ids of videos, too: comments, uploads, live chats. */
const MAX_COLUMNS_OF_IDS = 3

/** Our own files keep spreadsheets from running a cell. */
const unescapeCell = (cell: string) => (/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell)

/** YouTube's tables in another language, by their ids. */
function youtubeLayout(header: string[], rows: string[][]): Layout | null {
  const every = (column: number, pattern: RegExp) =>
    rows.every((row) => pattern.test(row[column]?.trim() ?? ''))
  // Names may have eleven letters, too.
  if (rows.length === 0 || !every(0, /^[\w-]{11}$/) || every(0, /^[A-Z]?[a-z]+$/)) return null
  const isDated = every(1, /^\d{4}-\d\d-\d\d/)
  if (header.length === 2 && isDated) return byPlace(YOUTUBE_PLAYLIST, header)
  const isNamed = header.length >= 4 && every(1, /\p{L}/u) && every(3, /\p{L}/u)
  return isNamed && !isDated ? byPlace(YOUTUBE_LIBRARY, header) : null
}

/* Lists of songs that many programs write, with a column for each value in any order. */

/** What such a list says beside the songs, by its names in lower-case letters. */
const EXTRAS = {
  lovedAt:
    'addedat added addeddate addedon dateadded timeadded lovedat likedat ratedat created createdat playlistvideocreationtimestamp',
  playedAt: 'playedat listenedat lastplayed dateplayed timestamp uts utctime date',
  plays: 'plays playcount scrobbles listens',
  rating: 'rating verdict loved liked love score',
}
const EXTRA_BY_NAME = new Map(
  Object.entries(EXTRAS).flatMap(([extra, names]) =>
    names.split(' ').map((name): [string, string] => [name, extra]),
  ),
)

const extraOf = (name: string): string | undefined => EXTRA_BY_NAME.get(normalizeHeader(name))

/** Services, by columns that only they write. */
const WRITERS: [source: string, ...names: string[]][] = [
  ['TuneMyMusic', 'trackname', 'playlistname', 'type'],
  ['Exportify', 'trackuri', 'artistnames'],
  ['YouTube Music, library', 'songtitle', 'artistname1'],
  ['YouTube, playlists', 'videoid', 'playlistvideocreationtimestamp'],
  ['YouTube, playlists', 'videoid', 'timeadded'],
  ['Banger or Bust, bangers', 'title', 'mbid', 'microgenre'],
  ['Banger or Bust, ratings', 'title', 'rating', 'microgenre', 'ratedat'],
]

/** The shape of rows whose values have the names of our columns. Songs of a list without plays are loved. */
function listShape(source: string, names: string[]): Shape {
  const extras = names.map(extraOf)
  const hasPlays = extras.includes('plays')
  const isHistory = hasPlays || (extras.includes('playedAt') && !extras.includes('lovedAt'))
  const isRated = extras.includes('rating')
  // One of several stars is no love.
  const loved = names.includes('rating') ? LOVED : LOVED_OR_1
  const verdictOf = (row: Row): Verdict =>
    loved.test(textOf(row.rating)) ? 'banger' : HATED.test(textOf(row.rating)) ? 'bust' : null
  const [writer = source] = WRITERS.find(([, ...own]) => own.every((name) => names.includes(name))) ?? []
  return {
    source: writer,
    verdict: (row) => (isRated ? verdictOf(row) : isHistory ? null : 'banger'),
    fields: {
      ...Object.fromEntries(LISTED_COLUMNS.map((column) => [column, column])),
      at: (row) => (isHistory ? row.playedAt : row.lovedAt || row.playedAt),
      plays: (row) => (hasPlays ? row.plays || 0 : isHistory ? 1 : 0),
      // Others mean any style.
      ...(writer.startsWith('Banger or Bust') && { microgenre: 'microgenre' }),
    },
    leaveOut: (row) => isRated && !isHistory && verdictOf(row) === null && 'not loved',
  }
}

const LISTED_COLUMNS = ['title', 'artist', 'isrc', 'recording_mbid', 'spotify_id', 'youtube_id'] as const

const LOVED = /^\s*(banger|loved?|liked?|favou?rited?|true|yes)\s*$/i
const LOVED_OR_1 = new RegExp(`${LOVED.source}|^1$`, 'i')
const HATED = /^\s*(bust|hated?|disliked?|banned|-1)\s*$/i
