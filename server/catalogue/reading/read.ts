import type { Cells } from './columns.ts'

/** A row as it stands in the file, or why it is none. */
export type Read = { line: number; cells: Cells } | { line: number; fault: string }

/** A file of songs, read row by row and never held whole. */
export interface Rows extends AsyncIterable<Read> {
  /** Bytes taken from the file so far, as it lies on the disk; `size` is null where nobody knows. */
  progress(): { bytes: number; size: number | null }
  /** The file's own columns that nothing was taken from. Known once rows were read. */
  unused(): string[]
  /** What `line` counts. */
  unit: 'line' | 'item'
}

/** Bytes that one row may have: a quote that is never closed would else swallow the rest of the file. */
export const LONGEST_ROW = 64 * 1024
