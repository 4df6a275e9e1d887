import type { Heard } from '../../contract/discovery.ts'
import type { Store } from '../ui/store.ts'
import type { Playback } from './playbackState.ts'
import { soundPrompt } from './shownPlayback.ts'

/**
 * What was heard of the current song since it was opened: the seconds that it played aloud, and its last source
 * (discover-45). `follow` returns a function that stops it.
 */
export function trackHeard(engine: Store<Playback>) {
  let songId: string | undefined
  let source: Heard['source'] = 'preview'
  let milliseconds = 0
  let since: number | null = null

  function update() {
    const state = engine.state()
    const now = Date.now()
    if (since !== null) milliseconds += now - since
    if (state.song?.id !== songId) milliseconds = 0
    songId = state.song?.id
    const isAloud = state.phase === 'playing' && !soundPrompt(state) && !state.muted && state.volume > 0
    since = isAloud ? now : null
    if (isAloud && state.source) source = state.source.kind
  }

  return {
    of(id: string): Heard | null {
      update()
      const seconds = Math.round(milliseconds / 100) / 10
      return id === songId && seconds > 0 ? { seconds, source } : null
    },
    follow: () => engine.subscribe(update),
  }
}
