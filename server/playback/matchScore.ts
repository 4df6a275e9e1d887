import { MIN_MATCH_SCORE } from '../../contract/diagnostics.ts'
import { foldText } from '../../contract/foldText.ts'

export interface ArtistAndTitle {
  artist: string
  title: string
}

/** The similarity of two recordings' names, from 0 to 100; title and artist weigh the same. */
export function matchScore(wanted: ArtistAndTitle, found: ArtistAndTitle): number {
  const title = compareWords(wanted.title, found.title)
  const artist = compareWords(wanted.artist, found.artist)
  // One name may list only the first of several artists.
  const isSame = title.similarity >= MIN_MATCH_SCORE && artist.overlap >= MIN_MATCH_SCORE
  return combineScores(title.similarity, artist.similarity, isSame)
}

/** The mean, but below MIN_MATCH_SCORE unless both match: a title cannot compensate for an artist. */
export function combineScores(title: number, artist: number, bothMatch: boolean): number {
  const mean = Math.round((title + artist) / 2)
  return bothMatch ? mean : Math.min(mean, MIN_MATCH_SCORE - 1)
}

/** The shared words relative to all words, and to those of the shorter text, from 0 to 100. */
function compareWords(one: string, other: string): { similarity: number; overlap: number } {
  const a = wordsOf(one)
  const b = wordsOf(other)
  if (a.size === 0 || b.size === 0) {
    const same = one.trim().toLowerCase() === other.trim().toLowerCase() ? 100 : 0
    return { similarity: same, overlap: same }
  }
  const shared = [...a].filter((word) => b.has(word)).length
  return {
    similarity: (200 * shared) / (a.size + b.size),
    overlap: (100 * shared) / Math.min(a.size, b.size),
  }
}

/** The distinct normalised words of a name or title. */
export const wordsOf = (text: string): Set<string> => new Set(plainWords(text))

/** The normalised words of a name or title in order, without case, accents, editions and 'the'. */
export function plainWords(text: string): string[] {
  const plain = foldText(text)
    // '(Remastered 2009)', '[Official Video]' and '- Radio Edit' name an edition, not another song.
    .replace(/\s[([][^)\]]*(remaster|official|feat|mono|stereo)[^)\]]*[)\]]/g, '')
    .replace(/\s[([](original mix|radio edit|(album|single) version)[)\]]/g, '')
    .replace(
      /\s-\s((\d{4} )?remaster(ed)?( \d{4})?|original mix|radio edit|(album|single|mono|stereo) version)$/,
      '',
    )
    .replace(/&/g, ' and ')
    .replace(/'/g, '')
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word && word !== 'the')
}
