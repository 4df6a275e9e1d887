import { useEffect, useRef } from 'react'
import type { Song } from '../../contract/shapes.ts'
import { usePlayback, usePlaybackEngine } from '../playback/PlaybackProvider.tsx'
import type { Phase } from '../playback/playbackState.ts'

/**
 * What one hears is what one decides on: the first song of the next case begins by itself once the steward has played
 * one, until a pause. Returns what plays and pauses the one that was chosen last, the first one at the beginning.
 */
export function useDeskSound(songs: readonly Song[]): () => void {
  const engine = usePlaybackEngine()
  const { select, stop } = usePlayback()
  const goesOn = useRef(false)
  const [first] = songs
  const chosen = () => songs.find(({ id }) => id === engine.state().song?.id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another case changes what is heard
  useEffect(() => {
    const { song: current, phase } = engine.state()
    if (chosen()) return
    // Between two songs, such as at a reported person, nothing plays, but it goes on afterwards.
    if (current) goesOn.current = !HELD.has(phase)
    if (first && goesOn.current) select(first)
    else stop()
  }, [first?.id])
  return () => {
    const song = chosen() ?? first
    if (song) select(song)
  }
}

/** Paused by the steward or the browser. */
const HELD: ReadonlySet<Phase> = new Set(['pausing', 'paused', 'blocked'])
