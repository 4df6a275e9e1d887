import { foldText } from '../../contract/foldText.ts'
import type { RatedSong } from '../../contract/library.ts'
import type { Sort } from './libraryView.ts'

/** The bangers of a microgenre (null: of all) that contain every word of the search, sorted (library-12). */
export function findBangers(
  bangers: readonly RatedSong[],
  { genre, search, sort }: { genre: string | null; search: string; sort: Sort },
): readonly RatedSong[] {
  const words = foldText(search).split(/\s+/).filter(Boolean)
  const found = bangers.filter(
    (banger) =>
      (genre === null || banger.song.microgenreId === genre) &&
      words.every((word) => textOf(banger).includes(word)),
  )
  const textsOf = sorts[sort]
  if (!textsOf) return found
  const keys = new Map(found.map((banger) => [banger, textsOf(banger).map(foldText)]))
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
    text = foldText(`${title} ${artist} ${microgenre}`)
    folded.set(banger, text)
  }
  return text
}
