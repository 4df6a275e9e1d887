/** The edge of a library tile: always the same of twelve colours for the same microgenre name (D-62). */
export function tileColor(microgenre: string): string {
  let hash = 0
  for (const sign of microgenre) hash = (Math.imul(hash, 31) + (sign.codePointAt(0) ?? 0)) >>> 0
  return `var(--tile-${hash % 12})`
}
