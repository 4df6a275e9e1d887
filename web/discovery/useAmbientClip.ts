import { useEffect } from 'react'
import { usePlayback } from '../playback/PlaybackProvider.tsx'
import { playAmbientClip } from './ambientClip.ts'

/** A song that comes at once between two ratings is not waited for. */
const SHORT_WAIT = 700

/** An ambient clip while a song loads: at once for the first of a microgenre, later for one that is slow (spec §2). */
export function useAmbientClip(waiting: 'first' | 'next' | null) {
  const { muted } = usePlayback()
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
