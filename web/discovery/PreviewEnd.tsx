import { canHearElsewhere, hearElsewhere, WHOLE_SONG } from '../playback/ElsewhereButton.tsx'
import { usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { hasPreviewEnded } from '../playback/shownPlayback.ts'
import { Button } from '../ui/Button.tsx'
import { ExternalLink } from '../ui/icons.ts'
import { useStore } from '../ui/store.ts'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { shownSong, verdict } from './discoveryState.ts'

/** At the end of a preview: where the whole song is (playback-61). It leaves with the verdict. */
export function PreviewEnd({ discovery }: { discovery: DiscoveryEngine }) {
  const song = useStore(discovery, shownSong)
  const isRated = useStore(discovery, (state) => verdict(state) !== null)
  const isOver = usePlaybackState((state) => hasPreviewEnded(state, song?.id))
  if (!song || !isOver || isRated || !canHearElsewhere) return null
  return (
    <Button
      variant="main"
      size="tight"
      className="absolute right-2 bottom-2 z-3 phone:max-w-26 phone:px-2 phone:text-xs/4 phone:whitespace-normal"
      onClick={() => hearElsewhere(song)}
    >
      <ExternalLink className="size-5 flex-none phone:hidden" />
      {WHOLE_SONG}
    </Button>
  )
}
