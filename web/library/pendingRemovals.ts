import { create } from 'zustand'
import type { RatedSong } from '../../contract/library.ts'

/** A banger that is hidden; `sent` from when its removal can no longer be undone. */
export interface PendingRemoval {
  banger: RatedSong
  isSent: boolean
}

/** Removals that the server does not know of yet (library-14). */
export const usePendingRemovals = create<readonly PendingRemoval[]>(() => [])

/** Shows the song again and does not send its removal, because it was rated again. */
export function cancelRemoval(songId: string): void {
  const others = usePendingRemovals.getState().filter(({ banger }) => banger.song.id !== songId)
  if (others.length < usePendingRemovals.getState().length) usePendingRemovals.setState(others, true)
}
