import { useEffect } from 'react'
import { usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { useStore } from '../ui/store.ts'
import { playAmbientClip } from './ambientClip.ts'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { isLoading } from './discoveryState.ts'

/** Milliseconds, because the next song usually loads sooner. */
const SHORT_WAIT = 700

/**
 * Plays an ambient clip while a song loads: at once for the first song of a microgenre, later for a slow one
 * (playback-8). Renders nothing.
 */
export function AmbientClip({ discovery }: { discovery: DiscoveryEngine }) {
  const muted = usePlaybackState((state) => state.muted)
  const waiting = useStore(discovery, (state) => {
    if (!isLoading(state)) return null
    return state.view === 'choosing' || state.fetching === 'first' ? 'first' : 'next'
  })
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
  return null
}
