import { parse } from 'csv-parse'
import { BadInput } from '../fault.ts'
import { type Cells, COLUMNS, type Column, chooseColumns, type FindColumn } from './columns.ts'
import { end, LONGEST_ROW, type Read, write } from './read.ts'

/**
 * Rows of a table with a header line. A row with the wrong number of cells is a fault. A row that does not end, or
 * is too long, ends the reading after the rows before it.
 * @throws BadInput when no column is known or the table is malformed.
 */
export async function* readDelimited(
  chunks: AsyncIterable<Buffer>,
  { delimiter, isQuoted }: { delimiter: string; isQuoted: boolean },
  find: FindColumn,
  unused: Set<string>,
): AsyncGenerator<Read> {
  let header: { size: number; columns: (Column | null)[] } | null = null
  let last = 0
  try {
    for await (const { line, record } of recordsOf(chunks, delimiter, isQuoted)) {
      last = line
      if (header === null) {
        const columns = requireColumns(record, find)
        header = { size: record.length, columns }
        record.forEach((name, index) => {
          if (!columns[index]) unused.add(name)
        })
      } else if (record.length !== header.size) {
        yield { line, fault: `has ${record.length} cells where the header has ${header.size}` }
      } else yield { line, cells: cellsOf(record, header.columns) }
    }
  } catch (error) {
    throw error instanceof BadInput ? error : new BadInput(describeError(error, last + 1))
  }
  if (header === null) throw new BadInput('The file is empty.')
}

interface Numbered {
  /** The line where the record ends. */
  line: number
  record: string[]
}

/** Feeds the parser in chunks: its own stream drops parsed rows at an error. */
async function* recordsOf(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  isQuoted: boolean,
): AsyncGenerator<Numbered> {
  let found: Numbered[] = []
  const parser = parse({
    bom: true,
    delimiter,
    quote: isQuoted ? '"' : false,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
    on_record(record: string[], { lines }) {
      found.push({ line: lines, record })
      return null
    },
  })
  // The call that caused the error throws it as well.
  parser.on('error', () => {})
  parser.resume()
  for await (const chunk of chunks) {
    const error = await write(parser, chunk)
    yield* found
    found = []
    if (error) throw error
  }
  const error = await end(parser)
  yield* found
  if (error) throw error
}

function cellsOf(record: string[], columns: (Column | null)[]): Cells {
  const cells: Cells = {}
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i]
    const cell = record[i]
    if (column && cell) cells[column] = cell
  }
  return cells
}

function requireColumns(names: string[], find: FindColumn): (Column | null)[] {
  const columns = chooseColumns(names, find)
  if (columns.some((column) => column && /^(title|key|recording_mbid)$|_id$/.test(column))) return columns
  const found = names.slice(0, 20).map((name) => `'${name.slice(0, 40)}'`)
  throw new BadInput(
    `The first line must name the columns, but none of ${found.join(', ')} is a title, key or id. ` +
      `Our columns are ${COLUMNS.join(', ')}. Map others with --columns, such as --columns title=THEIRS.`,
  )
}

function describeError(error: unknown, line: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const from = `The file cannot be read from line ${line} on`
  if (code === 'CSV_MAX_RECORD_SIZE' || code === 'CSV_QUOTE_NOT_CLOSED') {
    return `${from}: the row does not end. Is a quote not closed?`
  }
  return `${from}: ${error instanceof Error ? error.message : 'unknown'}.`
}
