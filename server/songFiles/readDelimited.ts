import { parse } from 'csv-parse'
import { BadInput } from '../inputErrors.ts'
import {
  type Cells,
  COLUMNS,
  chooseColumns,
  EMPTY_MARKERS,
  type FindColumn,
  type MappedColumn,
  readCell,
} from './columns.ts'
import { endParser, feedParser, MAX_ROW_BYTES, type ReadRow } from './read.ts'

/** Excel's line above the header: `sep=;`. */
export const SEPARATOR_LINE = /^"?sep=(.)?"?$/i

/**
 * Streams the rows of a table with a header. A row with the wrong number of cells is a fault; trailing empty cells
 * are ignored. A row that never ends, or is too long, ends the reading after the rows before it.
 * @throws BadInput when no column is known or the table is malformed.
 */
export async function* readDelimited(
  chunks: AsyncIterable<Buffer>,
  { delimiter, isQuoted }: { delimiter: string; isQuoted: boolean },
  find: FindColumn,
  unused: Set<string>,
): AsyncGenerator<ReadRow> {
  let header: Header | null = null
  for await (const { line, record } of readRecords(chunks, { delimiter, isQuoted })) {
    if (header === null) {
      const columns = requireColumns(record, find)
      header = {
        names: record,
        columns,
        isQuoted,
        isExport: columns.some((named) => named?.column === 'key'),
      }
      record.forEach((name, index) => {
        if (!columns[index] && name) unused.add(name)
      })
    } else yield { line, ...cellsOf(record, header) }
  }
  if (header === null) throw new BadInput('The file is empty.')
}

interface Header {
  names: string[]
  columns: (MappedColumn | null)[]
  isQuoted: boolean
  /** Our own export, in which every cell is literal. */
  isExport: boolean
}

interface NumberedRecord {
  /** The line where the record ends. */
  line: number
  record: string[]
}

/**
 * Streams the records of a table, its header first.
 * @throws BadInput after the records before what cannot be read.
 */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  { delimiter, isQuoted }: { delimiter: string; isQuoted: boolean },
): AsyncGenerator<NumberedRecord> {
  let last = 0
  try {
    for await (const numbered of recordsOf(chunks, delimiter, isQuoted)) {
      last = numbered.line
      if (last > 1 || !SEPARATOR_LINE.test(numbered.record.join(''))) yield numbered
    }
  } catch (error) {
    throw error instanceof BadInput ? error : new BadInput(readErrorMessage(error, last + 1))
  }
}

/** Feeds the parser in chunks, because its own stream drops parsed rows at an error. */
async function* recordsOf(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  isQuoted: boolean,
): AsyncGenerator<NumberedRecord> {
  let found: NumberedRecord[] = []
  const parser = parse({
    delimiter,
    record_delimiter: '\n',
    // `"One", "Two"`: otherwise the second cell would keep its quotes.
    trim: isQuoted && delimiter !== '\t',
    quote: isQuoted ? '"' : false,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    // Spreadsheets write thousands of them.
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW_BYTES,
    on_record(record: string[], { lines }) {
      found.push({ line: lines, record })
      return null
    },
  })
  // The call that caused the error throws it as well.
  parser.on('error', () => {})
  parser.resume()
  for await (const chunk of chunks) {
    const error = await feedParser(parser, chunk)
    yield* found
    found = []
    if (error) throw error
  }
  const error = await endParser(parser)
  yield* found
  if (error) throw error
}

function cellsOf(record: string[], header: Header): { cells: Cells } | { fault: string } {
  const { names, columns, isQuoted, isExport } = header
  if (!fitsHeader(record, names))
    return { fault: `has ${record.length} cells where the header has ${names.length}` }
  if (names.every((name, index) => name === record[index])) return { fault: 'repeats the first line' }
  const cells: Cells = {}
  for (let index = 0; index < columns.length; index++) {
    const named = columns[index]
    const text = record[index]
    if (!named || !text) continue
    if (!isExport && !isQuoted && EXCEL_QUOTES.test(text))
      return { fault: 'has a cell in quotes: if these are not of the name, read the file with --format csv' }
    // A name may be such a word. JSON has null instead.
    if (!isExport && /^(title|artist)$/.test(named.column) && EMPTY_MARKERS.has(text))
      return {
        fault: `has '${text}' as ${named.column}: empty the cell if it is a gap, or import the name as JSON`,
      }
    const cell = readCell(named, text)
    if (cell) cells[named.column] = cell
  }
  return { cells }
}

/** Trailing empty cells are ignored. */
export const fitsHeader = (record: string[], names: string[]): boolean =>
  record.length >= names.length && !record.slice(names.length).some(Boolean)

/** Excel puts tab-separated cells with commas or quotes in quotes, and doubles the quotes. */
const EXCEL_QUOTES = /^"([^"]*,[^"]*|(?=.*"".*"$)([^"]|"")*)"$/

function requireColumns(names: string[], find: FindColumn): (MappedColumn | null)[] {
  const columns = chooseColumns(names, find)
  if (columns.some((named) => named && /^(title|key|recording_mbid)$|_id$/.test(named.column))) return columns
  const found = names.slice(0, 20).map((name) => `'${name.slice(0, 40)}'`)
  throw new BadInput(
    `The first line must name the columns, but none of ${found.join(', ')} is a title, key or id. ` +
      `Our columns are ${COLUMNS.join(', ')}. Map others with --columns, such as --columns title=THEIRS.`,
  )
}

function readErrorMessage(error: unknown, line: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const from = `The file cannot be read from line ${line} on`
  if (code === 'CSV_MAX_RECORD_SIZE' || code === 'CSV_QUOTE_NOT_CLOSED') {
    return `${from}: the row does not end. Is a quote not closed?`
  }
  return `${from}: ${error instanceof Error ? error.message : 'unknown'}.`
}
