import { useEffect } from 'react'
import { usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { playAmbientClip } from './ambientClip.ts'

/** Milliseconds: between two ratings a song usually comes sooner. */
const SHORT_WAIT = 700

/**
 * Plays an ambient clip while a song loads: at once for the first song of a microgenre, later for a slow one
 * (playback-8).
 */
export function useAmbientClip(waiting: 'first' | 'next' | null) {
  const muted = usePlaybackState((state) => state.muted)
  useEffect(() => {
    if (!waiting || muted) return
    let stop: (() => void) | undefined
    const begin = () => {
      stop = playAmbientClip()
    }
    if (waiting === 'first') begin()
    const beginning = waiting === 'next' ? setTimeout(begin, SHORT_WAIT) : undefined
    return () => {
      clearTimeout(beginning)
      stop?.()
    }
  }, [waiting, muted])
}
