import { useEffect } from 'react'
import type { PlaybackEngine } from './playbackEngine.ts'

/** Reports the listener's gestures to playback: after the first one the browser allows sound (playback-5). */
export function useInteraction(engine: PlaybackEngine) {
  useEffect(() => {
    const interact = (event: Event) => {
      // Escape is not a gesture that allows sound.
      if (event instanceof KeyboardEvent && event.key === 'Escape') return
      engine.send({ type: 'interacted' })
    }
    const gestures = ['keydown', 'pointerup', 'click'] as const
    for (const gesture of gestures) window.addEventListener(gesture, interact, true)
    return () => {
      for (const gesture of gestures) window.removeEventListener(gesture, interact, true)
    }
  }, [engine])
}
