import { foldText } from '../../contract/foldText.ts'
import type { RatedSong } from '../../contract/library.ts'
import type { Sort } from './libraryView.ts'

/** The bangers of a microgenre (null: of all) that contain every word of the search, sorted (library-12). */
export function findBangers(
  bangers: readonly RatedSong[],
  { genre, search, sort }: { genre: string | null; search: string; sort: Sort },
): readonly RatedSong[] {
  const searchWords = foldText(search).split(/\s+/).filter(Boolean)
  const matches = bangers.filter(
    (banger) =>
      (genre === null || banger.song.microgenreId === genre) &&
      searchWords.every((word) => getSearchText(banger).includes(word)),
  )
  const getSortTexts = sortTextGetters[sort]
  if (!getSortTexts) return matches
  const sortKeys = new Map(matches.map((banger) => [banger, getSortTexts(banger).map(foldText)]))
  // Bangers with the same texts stay in their order, newest first.
  return matches.sort((a, b) => compareTextLists(sortKeys.get(a) ?? [], sortKeys.get(b) ?? []))
}

const sortTextGetters: Record<Sort, ((banger: RatedSong) => string[]) | null> = {
  newest: null,
  artist: ({ song }) => [song.artist, song.title],
  title: ({ song }) => [song.title, song.artist],
  genre: ({ song }) => [song.microgenre],
}

const { compare: compareTexts } = new Intl.Collator(undefined, { numeric: true })

function compareTextLists(a: readonly string[], b: readonly string[]): number {
  for (const [i, text] of a.entries()) {
    const order = compareTexts(text, b[i] ?? '')
    if (order !== 0) return order
  }
  return 0
}

/** Folding thousands of texts at every key press would delay typing. */
const searchTexts = new WeakMap<RatedSong, string>()

function getSearchText(banger: RatedSong): string {
  let text = searchTexts.get(banger)
  if (text === undefined) {
    const { title, artist, microgenre } = banger.song
    text = foldText(`${title} ${artist} ${microgenre}`)
    searchTexts.set(banger, text)
  }
  return text
}
