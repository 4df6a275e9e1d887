import { MessageSquare } from 'lucide-react'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { Button } from '../ui/Button.tsx'
import { openDialog } from '../ui/place.ts'
import { useHotkeys } from '../ui/useHotkeys.ts'
import { PlaybackIcon, playbackLabel } from './PlaybackIcon.tsx'
import { usePlayback, usePlaybackState } from './PlaybackProvider.tsx'
import { ProgressHairline } from './ProgressLine.tsx'
import { promptWords } from './SoundPrompt.tsx'
import { canToggle, isSwitching, soundPrompt } from './shownPlayback.ts'
import { VolumeControl } from './VolumeControl.tsx'

/** The current song on My Library and Community; nothing without a song (playback-10). Space plays and pauses (screens-6). */
export function MiniPlayer({ active, onDiscover }: { active: boolean; onDiscover: () => void }) {
  const { toggle, markInteracted } = usePlayback()
  const song = usePlaybackState((state) => state.song)
  const phase = usePlaybackState((state) => state.phase)
  const usable = usePlaybackState(canToggle)
  const prompt = usePlaybackState(soundPrompt)
  const switching = usePlaybackState(isSwitching)
  useHotkeys({ ' ': toggle }, { enabled: active && song !== null })
  if (!song) return null
  return (
    <section aria-label="Now playing" className="mini-player">
      <div className="absolute inset-x-0 -top-px wide:inset-x-2.5">
        <ProgressHairline />
      </div>
      <div className="hidden size-12 flex-none roomy:block">
        <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
      </div>
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{song.title}</p>
        {prompt ? (
          // As tall as a finger needs, without moving the title.
          <button
            type="button"
            onClick={prompt === 'tap' ? markInteracted : toggle}
            className="-my-3 block min-h-(--size-touch) w-full truncate text-left text-xs text-ink-2"
          >
            {promptWords[prompt]}
          </button>
        ) : (
          <p className="truncate text-xs text-ink-2">{switching ? 'Switching to Spotify...' : song.artist}</p>
        )}
      </div>
      <Button
        variant="bare"
        size="square"
        aria-label={playbackLabel(phase)}
        aria-disabled={!usable || undefined}
        onClick={toggle}
      >
        <PlaybackIcon phase={phase} className="size-5" />
      </Button>
      <div className="hidden desk:block">
        <VolumeControl />
      </div>
      <Button variant="bare" size="tight" aria-label="Thoughts?" onClick={() => openDialog('feedback')}>
        <MessageSquare className="size-5" strokeWidth={1.75} aria-hidden="true" />
        <span className="hidden roomy:inline">Thoughts?</span>
      </Button>
      <Button
        size="tight"
        className="max-wide:w-24 max-wide:text-xs/4 max-wide:whitespace-normal"
        onClick={onDiscover}
      >
        Back to Discover
      </Button>
    </section>
  )
}
