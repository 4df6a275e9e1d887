import { useEffect, useState } from 'react'
import { usePlaybackEngine, usePlaybackState } from './PlaybackProvider.tsx'

export interface Progress {
  /** Seconds; a duration of 0 means unknown. */
  position: number
  duration: number
}

const TICK = 250

/** The current song's position; with `only`, the start for any other song. */
export function usePlaybackProgress(only?: string | null): Progress {
  const engine = usePlaybackEngine()
  const songId = usePlaybackState(({ song }) =>
    only === undefined || song?.id === only ? song?.id : undefined,
  )
  const isPlaying = usePlaybackState(({ phase }) => phase === 'playing')
  const [progress, setProgress] = useState<Progress>(nowhere)

  useEffect(() => {
    if (songId === undefined) return setProgress(nowhere)
    const read = () => {
      const position = engine.position()
      const duration = engine.duration()
      setProgress((last) =>
        last.position === position && last.duration === duration ? last : { position, duration },
      )
    }
    read()
    if (!isPlaying) return
    const ticking = setInterval(read, TICK)
    return () => clearInterval(ticking)
  }, [engine, songId, isPlaying])

  return progress
}

const nowhere: Progress = { position: 0, duration: 0 }
