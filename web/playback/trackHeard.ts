import type { HeardPortion } from '../../contract/discovery.ts'
import type { Store } from '../ui/store.ts'
import { isOpen, type Playback } from './playbackState.ts'

/** Seconds. No song is longer: a machine that slept counted its sleep. */
const MAX_SECONDS_HEARD = 3600

/**
 * What was heard of each song on this page: the seconds that it played aloud, and its last source (discover-45).
 * `follow` returns a function that stops it.
 */
export function trackHeard(engine: Store<Playback>) {
  const songs = new Map<string, { milliseconds: number; source: HeardPortion['source'] }>()
  let aloud: { id: string; source: HeardPortion['source']; since: number } | null = null

  function update() {
    const state = engine.state()
    const now = Date.now()
    if (aloud) {
      const { id, source, since } = aloud
      songs.set(id, { milliseconds: (songs.get(id)?.milliseconds ?? 0) + now - since, source })
    }
    const sounds =
      isOpen(state) && state.phase === 'playing' && state.sound === 'on' && !state.muted && state.volume > 0
    aloud = sounds ? { id: state.song.id, source: state.source.kind, since: now } : null
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
