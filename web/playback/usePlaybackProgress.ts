import { useEffect, useState } from 'react'
import { usePlayback, usePlaybackEngine } from './PlaybackProvider.tsx'

export interface Progress {
  /** Seconds; a duration of 0 is not known yet. */
  position: number
  duration: number
}

const TICK = 250

/** How far the current song is. Apart from `usePlayback`, so that its ticks draw only what shows them. */
export function usePlaybackProgress(): Progress {
  const engine = usePlaybackEngine()
  const { song, state } = usePlayback()
  const [progress, setProgress] = useState<Progress>(nowhere)

  useEffect(() => {
    if (!song) return setProgress(nowhere)
    const read = () => {
      const position = engine.position()
      const duration = engine.duration()
      setProgress((last) =>
        last.position === position && last.duration === duration ? last : { position, duration },
      )
    }
    read()
    if (state !== 'playing') return
    const ticking = setInterval(read, TICK)
    return () => clearInterval(ticking)
  }, [engine, song, state])

  return progress
}

const nowhere: Progress = { position: 0, duration: 0 }
