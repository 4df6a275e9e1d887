import { flushSync } from 'react-dom'
import type { Song } from '../../../contract/shapes.ts'
import { type Discovery, nothingChosen } from '../../../web/discovery/discoveryState.ts'
import { createStore, type Store } from '../../../web/ui/store.ts'

const SENTENCE = 'You are among the first to rate this'

// The rating before can be undone, and its sentence is there: nothing that may be on the stage is missing.
const shown = createStore<Discovery>({
  ...nothingChosen,
  view: 'loading',
  undoable: true,
  sentence: SENTENCE,
})

export const shownDiscovery: Store<Discovery> = shown

/** Puts any song on the stage, at once. */
export function showSong(song: Song): void {
  flushSync(() =>
    shown.set({ ...shown.state(), view: 'song', song: { ...song, putOff: false, reason: 'taste' } }),
  )
}
