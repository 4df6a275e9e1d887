/** A part of a list. */
export interface ItemRange {
  /** How many items come before it. */
  from: number
  limit: number
}

/**
 * What `Range: items=20-39` asks for. Null for the whole list, and for any other range: a server may ignore a range
 * (RFC 9110 §14.2).
 */
export function parseItemRange(range: string | undefined): ItemRange | null {
  const [, first, last] = /^items=(\d{1,7})-(\d{1,7})$/.exec(range ?? '') ?? []
  const limit = Number(last) - Number(first) + 1
  return limit > 0 ? { from: Number(first), limit } : null
}

/** The `Content-Range` of a part of a list. */
export const contentRange = (from: number, items: number, total: number) =>
  `items ${from}-${from + items - 1}/${total}`
