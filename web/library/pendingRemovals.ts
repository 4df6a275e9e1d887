import type { RatedSong } from '../../contract/library.ts'
import { createStore } from '../ui/store.ts'

/** A banger that is hidden; `sent` from when its removal can no longer be undone. */
export interface PendingRemoval {
  banger: RatedSong
  isSent: boolean
}

/** Removals that the server does not know of yet (library-14). */
export const pendingRemovals = createStore<readonly PendingRemoval[]>([])

/** Shows the song again and does not send its removal, because it was rated again. */
export function cancelRemoval(songId: string): void {
  const others = pendingRemovals.state().filter(({ banger }) => banger.song.id !== songId)
  if (others.length < pendingRemovals.state().length) pendingRemovals.set(others)
}
