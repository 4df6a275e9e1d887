import { useEffect, useRef } from 'react'
import type { Song } from '../../contract/shapes.ts'
import { usePlayback, usePlaybackEngine } from '../playback/PlaybackProvider.tsx'
import type { Phase } from '../playback/playbackState.ts'

/**
 * What one hears is what one decides on: the song of the next case begins by itself once the steward has played one,
 * until a pause. Returns what plays and pauses.
 */
export function useDeskSound(song: Song | null): () => void {
  const engine = usePlaybackEngine()
  const { select, stop } = usePlayback()
  const goesOn = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another song changes what is heard
  useEffect(() => {
    const { song: current, phase } = engine.state()
    if (current?.id === song?.id) return
    // Between two songs, such as at a reported person, nothing plays, but it goes on afterwards.
    if (current) goesOn.current = !HELD.has(phase)
    if (song && goesOn.current) select(song)
    else stop()
  }, [song?.id])
  return () => song && select(song)
}

/** Paused by the steward or the browser. */
const HELD: ReadonlySet<Phase> = new Set(['pausing', 'paused', 'blocked'])
