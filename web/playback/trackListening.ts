import type { HeardPortion } from '../../contract/discovery.ts'
import type { ReadonlyStore } from '../ui/afterPaint.ts'
import { isPlayerOpen, type Playback } from './playbackState.ts'

/** No song is longer: the rest was the machine's sleep. */
const MAX_SECONDS_HEARD = 3600

/**
 * Tracks the seconds that each song was audible on this page, and its last source (discover-45). `start` returns a
 * function that stops it.
 */
export function trackListening(engine: ReadonlyStore<Playback>) {
  const songs = new Map<string, { milliseconds: number; source: HeardPortion['source'] }>()
  let audible: { id: string; source: HeardPortion['source']; since: number } | null = null

  function update() {
    const state = engine.getState()
    const now = Date.now()
    if (audible) {
      const { id, source, since } = audible
      songs.set(id, { milliseconds: (songs.get(id)?.milliseconds ?? 0) + now - since, source })
    }
    const isAudible =
      isPlayerOpen(state) &&
      state.phase === 'playing' &&
      state.sound === 'on' &&
      !state.muted &&
      state.volume > 0
    audible = isAudible ? { id: state.song.id, source: state.source.kind, since: now } : null
  }

  return {
    getHeard(id: string): HeardPortion | null {
      update()
      const { milliseconds = 0, source = 'preview' } = songs.get(id) ?? {}
      const seconds = Math.min(Math.round(milliseconds / 100) / 10, MAX_SECONDS_HEARD)
      return seconds > 0 ? { seconds, source } : null
    },
    start: () => engine.subscribe(update),
  }
}
