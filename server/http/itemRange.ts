/**
 * How many items `Range: items=0-19` asks for, from the start of a list. Null for the whole list, and for any other
 * range: a server may ignore a range (RFC 9110 §14.2).
 */
export function firstItemsOf(range: string | undefined): number | null {
  const last = /^items=0-(\d{1,4})$/.exec(range ?? '')?.[1]
  return last === undefined ? null : Number(last) + 1
}

/** The `Content-Range` of a list's first items. */
export const contentRange = (items: number, total: number) => `items 0-${items - 1}/${total}`
