import { create } from 'zustand'
import { storageItem } from '../api/storageItem.ts'

export const SORTS = ['newest', 'artist', 'title', 'genre'] as const
export type Sort = (typeof SORTS)[number]

export interface LibraryView {
  layout: 'grid' | 'list'
  sort: Sort
  search: string
  /** The chosen microgenre's id; null for all. */
  genre: string | null
}

const viewStorage = storageItem('library')

/** How the listener looks at the library. The layout and the sort are stored in this browser (library-13). */
export const useLibraryView = create<LibraryView>(() => ({ ...readStoredView(), search: '', genre: null }))

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
