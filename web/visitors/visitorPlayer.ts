import { create } from 'zustand'
import type { VisitorSong } from '../../contract/visitors.ts'

/** What a page that visitors open plays (visitors-2). */
interface VisitorPlayer {
  /** Another object at each press, so that the same list starts again. */
  list: { songs: readonly VisitorSong[]; at: number } | null
  /** The song that plays or is paused. */
  current: { id: string; isPlaying: boolean } | null
  /** Pauses and continues. */
  toggle(): void
}

export const useVisitorPlayer = create<VisitorPlayer>(() => ({ list: null, current: null, toggle() {} }))
