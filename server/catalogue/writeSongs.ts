import type { ExportedSong } from './exportSongs.ts'
import { COLUMNS, type Column } from './reading/columns.ts'

export type ExportFormat = 'csv' | 'tsv' | 'json' | 'jsonl'

/** The duration is written in one unit only. */
const isWritten = (column: Column): column is Exclude<Column, 'duration'> => column !== 'duration'
const WRITTEN = COLUMNS.filter(isWritten)

/** The text of a file of songs, in chunks. */
export async function* writeSongs(
  pages: AsyncIterable<ExportedSong[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  const { before, row, between, after } = FORMATS[format]
  let gap = before
  for await (const page of pages) {
    yield gap + page.map(row).join(between)
    gap = between
  }
  // A file without songs still has its header.
  if (gap === before) yield before
  yield after
}

interface Writing {
  before: string
  row(song: ExportedSong): string
  between: string
  after: string
}

const cellsOf = (song: ExportedSong) => WRITTEN.map((column) => String(song[column] ?? ''))

const FORMATS: Record<ExportFormat, Writing> = {
  csv: {
    before: `${WRITTEN.join(',')}\r\n`,
    // RFC 4180.
    row: (song) =>
      cellsOf(song)
        .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(','),
    between: '\r\n',
    after: '\r\n',
  },
  tsv: {
    before: `${WRITTEN.join('\t')}\n`,
    // No quotes, as in the starter catalogue; a tab in a title would add a cell.
    row: (song) =>
      cellsOf(song)
        .map((cell) => cell.replace(/[\t\r\n]+/g, ' '))
        .join('\t'),
    between: '\n',
    after: '\n',
  },
  json: { before: '[\n', row: (song) => JSON.stringify(song), between: ',\n', after: '\n]\n' },
  jsonl: { before: '', row: (song) => JSON.stringify(song), between: '\n', after: '\n' },
}
