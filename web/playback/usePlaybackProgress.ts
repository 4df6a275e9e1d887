import { useEffect, useReducer } from 'react'
import { usePlaybackEngine, usePlaybackState } from './PlaybackProvider.tsx'

export interface Progress {
  /** Seconds; a duration of 0 means unknown. */
  position: number
  duration: number
}

const TICK = 250

/**
 * The current song's position; with `only`, the start for any other song. It is read at each rendering, so that one is
 * enough when the song or its phase changes.
 */
export function usePlaybackProgress(only?: string | null): Progress {
  const engine = usePlaybackEngine()
  const songId = usePlaybackState(({ song }) =>
    only === undefined || song?.id === only ? song?.id : undefined,
  )
  const isPlaying = usePlaybackState(({ phase }) => phase === 'playing')
  const [, render] = useReducer((ticks: number) => ticks + 1, 0)

  useEffect(() => {
    if (songId === undefined || !isPlaying) return
    const ticking = setInterval(render, TICK)
    return () => clearInterval(ticking)
  }, [songId, isPlaying])

  return songId === undefined ? nowhere : { position: engine.position(), duration: engine.duration() }
}

const nowhere: Progress = { position: 0, duration: 0 }
