import { usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { phaseOf, soundPrompt } from '../playback/shownPlayback.ts'
import { Button } from '../ui/Button.tsx'
import { useStore } from '../ui/store.ts'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { shownSong } from './discoveryState.ts'

/** Puts the song off: a quiet word in the desk, and the main action where nothing sounds (discover-42). */
export function NotNowButton({ discovery }: { discovery: DiscoveryEngine }) {
  const id = useStore(discovery, (state) => shownSong(state)?.id)
  const isSilent = usePlaybackState(
    (state) => phaseOf(state, id) === 'silent' || (state.song?.id === id && soundPrompt(state) !== null),
  )
  return (
    <Button
      variant={isSilent ? 'main' : 'bare'}
      size="tight"
      aria-keyshortcuts="ArrowDown S"
      onClick={discovery.notNow}
    >
      Not now
    </Button>
  )
}
