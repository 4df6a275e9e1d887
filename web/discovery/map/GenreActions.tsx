import type { MappedMicrogenre } from '../../../contract/map.ts'
import { PlaybackIcon, playbackLabel } from '../../playback/PlaybackIcon.tsx'
import { usePlaybackState } from '../../playback/PlaybackProvider.tsx'
import { Button } from '../../ui/Button.tsx'
import { LogIn } from '../../ui/laterIcons.ts'
import { goTo } from '../../ui/place.ts'
import type { useHearSong } from './useHearSong.ts'

interface GenreActionsProps {
  microgenre: MappedMicrogenre
  playback: ReturnType<typeof useHearSong>
  /** In a list the buttons also name the microgenre, for screen readers. */
  named?: boolean
}

/** What can be done with a microgenre of the map: hear a song of it, or enter it (discover-87). */
export function GenreActions({
  microgenre,
  playback: { togglePlayback: hear, pending },
  named = false,
}: GenreActionsProps) {
  const { id, name } = microgenre
  const phase = usePlaybackState((state) => (state.song?.microgenreId === id ? state.phase : null))
  const shown = pending === id ? 'loading' : phase
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="tight" aria-busy={shown === 'loading' || undefined} onClick={() => hear(microgenre)}>
        <PlaybackIcon phase={shown ?? 'paused'} className="size-5" />
        {shown && shown !== 'loading' ? playbackLabel(shown) : 'Hear a song'}
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
