import type { RatedSong } from '../../contract/library.ts'
import type { Sort } from './libraryView.ts'

/** The bangers of a microgenre (null: of all) that contain every word of the search, sorted (library-12). */
export function findBangers(
  bangers: readonly RatedSong[],
  { genre, search, sort }: { genre: string | null; search: string; sort: Sort },
): readonly RatedSong[] {
  const words = fold(search).split(/\s+/).filter(Boolean)
  const found = bangers.filter(
    (banger) =>
      (genre === null || banger.song.microgenreId === genre) &&
      words.every((word) => textOf(banger).includes(word)),
  )
  const textsOf = sorts[sort]
  if (!textsOf) return found
  const keys = new Map(found.map((banger) => [banger, textsOf(banger).map(fold)]))
  // Bangers with the same texts stay in their order, newest first.
  return found.sort((a, b) => compare(keys.get(a) ?? [], keys.get(b) ?? []))
}

const sorts: Record<Sort, ((banger: RatedSong) => string[]) | null> = {
  newest: null,
  artist: ({ song }) => [song.artist, song.title],
  title: ({ song }) => [song.title, song.artist],
  genre: ({ song }) => [song.microgenre],
}

const { compare: compareTexts } = new Intl.Collator(undefined, { numeric: true })

function compare(a: readonly string[], b: readonly string[]): number {
  for (const [i, text] of a.entries()) {
    const order = compareTexts(text, b[i] ?? '')
    if (order !== 0) return order
  }
  return 0
}

/** Folding thousands of texts at every key press would delay typing. */
const folded = new WeakMap<RatedSong, string>()

function textOf(banger: RatedSong): string {
  let text = folded.get(banger)
  if (text === undefined) {
    const { title, artist, microgenre } = banger.song
    text = fold(`${title} ${artist} ${microgenre}`)
    folded.set(banger, text)
  }
  return text
}

/** Letters that Unicode does not decompose into a base letter and an accent. */
const LETTERS: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
}

/** The text in lower case and without accents. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[øłđðþßæœı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[’‘]/g, "'")
}
