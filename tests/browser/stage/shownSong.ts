import { flushSync } from 'react-dom'
import type { Song } from '../../../contract/shapes.ts'

let song: Song | null = null
const listeners = new Set<() => void>()

export const shownSong = () => song

export function watchSong(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Puts any song on the stage, at once. */
export function showSong(next: Song): void {
  song = next
  flushSync(() => {
    for (const listener of listeners) listener()
  })
}
