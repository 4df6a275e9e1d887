/** A row that is rejected. `field` is null when the whole row is at fault. */
export interface Fault {
  /** Counts from 1 and includes the header; in a JSON array the number of the item. */
  line: number
  field: string | null
  /** The same text for all rows with this fault, so that they can be counted. */
  reason: string
  /** The value in this row. */
  value: string | null
}

/** The file or the command line is invalid. The message says what to do. */
export class BadInput extends Error {}

/** The command line is, whatever the files contain. */
export class BadCall extends BadInput {}
