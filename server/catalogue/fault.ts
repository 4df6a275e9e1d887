/** One row that is not taken: where, and why. `field` is null when it is the row as a whole. */
export interface Fault {
  /** From 1, the header's line included; in a JSON array the number of the item. */
  line: number
  field: string | null
  /** The same words for every row of its kind, so that kinds can be counted. */
  reason: string
  /** What it was about in this row. */
  told: string | null
}

/** The file, or what was said on the command line, cannot be worked with; the message says what to do. */
export class BadInput extends Error {}

/** `youtube_id: belongs to another song` — the kind of a fault, for counting. */
export function kindOf({ field, reason }: Pick<Fault, 'field' | 'reason'>): string {
  return field === null ? reason : `${field}: ${reason}`
}
