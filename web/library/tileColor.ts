/** The border colour of a tile: one of twelve, chosen by the microgenre's name (library-4). */
export function tileColor(microgenre: string): string {
  let hash = 0
  for (const character of microgenre) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return `var(--tile-${hash % 12})`
}
