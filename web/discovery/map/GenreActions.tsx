import type { MappedMicrogenre } from '../../../contract/discovery.ts'
import { PlaybackIcon, playbackLabel } from '../../playback/PlaybackButtons.tsx'
import { usePlaybackState } from '../../playback/PlaybackProvider.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { LogIn } from '../../ui/laterIcons.ts'
import { goTo } from '../../ui/screenParams.ts'
import type { useMicrogenrePlayback } from './useMicrogenrePlayback.ts'

interface GenreActionsProps {
  microgenre: MappedMicrogenre
  playback: ReturnType<typeof useMicrogenrePlayback>
  /** In a list the buttons also name the microgenre, for screen readers. */
  named?: boolean
}

/** What can be done with a microgenre of the map: hear a song of it, or enter it (discover-87). */
export function GenreActions({
  microgenre,
  playback: { togglePlayback, pending: pendingId },
  named = false,
}: GenreActionsProps) {
  const { id, name } = microgenre
  const phase = usePlaybackState((state) => (state.song?.microgenreId === id ? state.phase : null))
  const shownPhase = pendingId === id ? 'loading' : phase
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="tight"
        aria-busy={shownPhase === 'loading' || undefined}
        onClick={() => togglePlayback(microgenre)}
      >
        <PlaybackIcon phase={shownPhase ?? 'paused'} className="size-5" />
        {shownPhase && shownPhase !== 'loading' ? playbackLabel(shownPhase) : 'Hear a song'}
        {named && <span className="sr-only">of {name}</span>}
      </Button>
      <Button
        size="tight"
        variant={named ? 'outline' : 'accent'}
        onClick={() => goTo({ section: 'discover', microgenre: id })}
      >
        <LogIn />
        Enter
        {named && <span className="sr-only">{name}</span>}
      </Button>
    </div>
  )
}
