import type { Writable } from 'node:stream'
import type { Cells } from './columns.ts'

/** A row, or why it is malformed. */
export type ReadRow = { line: number; cells: Cells } | { line: number; fault: string }

/** Why a row is rejected. `field` is null for the whole row. */
export interface RowFault {
  /** From 1, including the header; in a JSON document the item's number. */
  line: number
  field: string | null
  /** The same for all rows with this fault, so that they can be counted. */
  reason: string
  /** The value in this row. */
  value: string | null
}

/** A file of songs, streamed row by row. */
export interface RowStream extends AsyncIterable<ReadRow> {
  /** Bytes of the file read so far; `size` is null when unknown. */
  progress(): { bytes: number; size: number | null }
  /** Unused columns of the file. Complete after the last row. */
  unused(): string[]
  /** The unit of `line`. */
  unit: 'line' | 'item'
}

/** Without a limit, an unclosed quote would consume the rest of the file. */
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
