import { create } from 'zustand'
import { foldText } from '../../contract/foldText.ts'
import type { RatedSong } from '../../contract/library.ts'
import { storageItem } from '../api/storageItem.ts'

export const SORTS = ['newest', 'artist', 'title', 'genre'] as const
export type Sort = (typeof SORTS)[number]

export interface LibraryView {
  layout: 'grid' | 'list'
  sort: Sort
  search: string
  /** A microgenre's id; null for all. */
  genre: string | null
}

const viewStorage = storageItem('library')

/** Layout, sort, search and filter of the library. The first two are stored in this browser (library-13). */
export const useLibraryView = create<LibraryView>(() => ({ ...readStoredView(), search: '', genre: null }))

/** Ids of the bangers that are selected for a mix; null while none can be (sharing-22). */
export const useSelection = create<ReadonlySet<string> | null>(() => null)

export function toggleSelected(id: string): void {
  const selection = new Set(useSelection.getState())
  if (!selection.delete(id)) selection.add(id)
  useSelection.setState(selection, true)
}

export function updateLibraryView(change: Partial<LibraryView>): void {
  const view = { ...useLibraryView.getState(), ...change }
  useLibraryView.setState(view, true)
  viewStorage.save(JSON.stringify({ layout: view.layout, sort: view.sort }))
}

function readStoredView(): Pick<LibraryView, 'layout' | 'sort'> {
  const storedView = viewStorage.readJson() as Partial<LibraryView> | null
  return {
    layout: storedView?.layout === 'list' ? 'list' : 'grid',
    sort: SORTS.find((sort) => sort === storedView?.sort) ?? 'newest',
  }
}

/** The bangers of a microgenre, or of all, that contain every word of the search, sorted (library-12). */
export function findBangers(
  bangers: readonly RatedSong[],
  { genre, search, sort }: Pick<LibraryView, 'genre' | 'search' | 'sort'>,
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
  // Equal bangers stay in their order, newest first.
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

/** A cache: folding thousands of texts at every key press would delay typing. */
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

export interface LibraryGenre {
  id: string
  name: string
  /** `#rrggbb` */
  color: string
  count: number
}

/** The microgenres of these bangers by count, then by name (library-2). */
export function countGenres(bangers: readonly RatedSong[]): LibraryGenre[] {
  const genres = new Map<string, LibraryGenre>()
  for (const { song } of bangers) {
    const { microgenreId: id, microgenre: name, color } = song
    const genre = genres.get(id)
    if (genre) genre.count += 1
    else genres.set(id, { id, name, color, count: 1 })
  }
  return [...genres.values()].sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))
}
