export interface Named {
  artist: string
  title: string
}

/** How much two recordings have the same name, from 0 to 100: title and artist weigh the same. */
export function matchScore(wanted: Named, found: Named): number {
  return Math.round((similarity(wanted.title, found.title) + similarity(wanted.artist, found.artist)) * 50)
}

/** Shared words over all words, after folding case, accents, brackets and punctuation. 0 to 1. */
function similarity(one: string, other: string): number {
  const a = wordsOf(one)
  const b = wordsOf(other)
  if (a.size === 0 || b.size === 0) return one.trim().toLowerCase() === other.trim().toLowerCase() ? 1 : 0
  const shared = [...a].filter((word) => b.has(word)).length
  return (2 * shared) / (a.size + b.size)
}

/** The words of a name or a title, folded: case, accents, editions and 'the' make no difference. */
export function wordsOf(text: string): Set<string> {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    // '(Remastered 2009)' and '[Official Video]' name an edition, not another song.
    .replace(/\s[([][^)\]]*(remaster|official|feat|mono|stereo)[^)\]]*[)\]]/g, '')
    .replace(/&/g, ' and ')
    .replace(/['’]/g, '')
  return new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word && word !== 'the'))
}
