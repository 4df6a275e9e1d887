import type { FoundMicrogenre } from '../../contract/foundMicrogenres.ts'
import type { Song } from '../../contract/shapes.ts'
import { PlaybackIcon, playbackLabel } from '../playback/PlaybackIcon.tsx'
import { usePlayback, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { SoundPrompt } from '../playback/SoundPrompt.tsx'
import { phaseOf } from '../playback/shownPlayback.ts'
import { Button } from '../ui/Button.tsx'
import { sizeOf } from './deskWords.ts'

interface MicrogenreViewProps {
  microgenre: FoundMicrogenre
  /** Some that carry it. */
  songs: readonly Song[]
}

/** A genre that may become a microgenre, with some of its songs to hear (desk-26). */
export function MicrogenreView({ microgenre, songs }: MicrogenreViewProps) {
  const { name, family, near, color, songs: count, artists } = microgenre
  return (
    <div data-genre="" style={{ '--genre': color }} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 dir="auto" className={`text-left wrap-anywhere ${sizeOf(name)}`}>
        {name}
      </h2>
      <p className="wrap-anywhere text-ink-2">
        {`${count.toLocaleString()} songs by ${artists.toLocaleString()} artists carry it. Nearest to `}
        <span className="text-accent">{near}</span>
        {`, in the family ${family}.`}
      </p>
      <SoundPrompt />
      <ul aria-label="Songs" className="border-t border-line">
        {songs.map((song) => (
          <Example key={song.id} song={song} />
        ))}
      </ul>
    </div>
  )
}

function Example({ song }: { song: Song }) {
  const { select } = usePlayback()
  const phase = usePlaybackState((state) => phaseOf(state, song.id)) ?? 'paused'
  return (
    <li className="flex items-center gap-3 border-b border-line py-2">
      <Button size="tight" aria-label={`${playbackLabel(phase)} ${song.title}`} onClick={() => select(song)}>
        <PlaybackIcon phase={phase} />
      </Button>
      <span className="line-clamp-3 min-w-0 flex-1 wrap-anywhere">
        <b className="font-semibold">{song.title}</b> by <bdi>{song.artist}</bdi>
        {song.year !== null && ` · ${song.year}`}
      </span>
    </li>
  )
}
