import type { Writable } from 'node:stream'
import type { Cells } from './columns.ts'

/** A row of the file, or why it is not one. */
export type ReadRow = { line: number; cells: Cells } | { line: number; fault: string }

/** A row that is rejected. `field` is null when the whole row is at fault. */
export interface RowFault {
  /** Counts from 1 and includes the header; in a JSON document the number of the item. */
  line: number
  field: string | null
  /** The same text for all rows with this fault, so that they can be counted. */
  reason: string
  /** The value in this row. */
  value: string | null
}

/** A file of songs, streamed row by row. */
export interface RowStream extends AsyncIterable<ReadRow> {
  /** Bytes read so far, as stored on disk; `size` is null when unknown. */
  progress(): { bytes: number; size: number | null }
  /** Columns of the file that are not used. Known once rows were read. */
  unused(): string[]
  /** The unit of `line`. */
  unit: 'line' | 'item'
}

/** Bytes per row: otherwise an unclosed quote would consume the rest of the file. */
export const MAX_ROW_BYTES = 64 * 1024

/** Feeds a parser. Returns the error that the chunk causes. */
export function feedParser(parser: Writable, chunk: Buffer): Promise<Error | null | undefined> {
  return new Promise((resolve) => void parser.write(chunk, resolve))
}

/** Returns the error that the end causes. */
export function endParser(parser: Writable): Promise<Error | null> {
  return new Promise((resolve) => {
    parser.once('error', resolve)
    parser.end(() => resolve(null))
  })
}
