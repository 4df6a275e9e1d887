/**
 * How many items `Range: items=0-19` asks for from a list's beginning on. Null for the whole list, as for every
 * range that is not of this kind: whoever cannot give a range gives everything (RFC 9110 §14.2).
 */
export function firstItemsOf(range: string | undefined): number | null {
  const last = /^items=0-(\d{1,4})$/.exec(range ?? '')?.[1]
  return last === undefined ? null : Number(last) + 1
}

/** The `Content-Range` of a list's first items. */
export const contentRange = (items: number, total: number) => `items 0-${items - 1}/${total}`
