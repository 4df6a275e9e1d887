import type { Writable } from 'node:stream'
import type { Cells } from './columns.ts'

/** A row of the file, or why it is not one. */
export type Read = { line: number; cells: Cells } | { line: number; fault: string }

/** A file of songs, streamed row by row. */
export interface Rows extends AsyncIterable<Read> {
  /** Bytes read so far, as stored on disk; `size` is null when unknown. */
  progress(): { bytes: number; size: number | null }
  /** Columns of the file that are not used. Known once rows were read. */
  unused(): string[]
  /** The unit of `line`. */
  unit: 'line' | 'item'
}

/** Bytes per row: otherwise an unclosed quote would consume the rest of the file. */
export const LONGEST_ROW = 64 * 1024

/** Feeds a parser. Returns the error that the chunk causes. */
export function write(parser: Writable, chunk: Buffer): Promise<Error | null | undefined> {
  return new Promise((resolve) => void parser.write(chunk, resolve))
}

/** Returns the error that the end causes. */
export function end(parser: Writable): Promise<Error | null> {
  return new Promise((resolve) => {
    parser.once('error', resolve)
    parser.end(() => resolve(null))
  })
}
