import { stored } from '../api/stored.ts'
import { createStore } from '../ui/store.ts'

export const SORTS = ['newest', 'artist', 'title', 'genre'] as const
export type Sort = (typeof SORTS)[number]

export interface LibraryView {
  layout: 'grid' | 'list'
  sort: Sort
  search: string
  /** The chosen microgenre's id; null for all. */
  genre: string | null
}

const setting = stored('library')

/** How the listener looks at the library. The layout and the sort are stored in this browser (library-13). */
export const libraryView = createStore<LibraryView>({ ...recall(), search: '', genre: null })

export function changeView(change: Partial<LibraryView>): void {
  const view = { ...libraryView.state(), ...change }
  libraryView.set(view)
  setting.save(JSON.stringify({ layout: view.layout, sort: view.sort }))
}

function recall(): Pick<LibraryView, 'layout' | 'sort'> {
  const kept = setting.readJson() as Partial<LibraryView> | null
  return {
    layout: kept?.layout === 'list' ? 'list' : 'grid',
    sort: SORTS.find((sort) => sort === kept?.sort) ?? 'newest',
  }
}
