import { ChevronDown, Keyboard, MessageSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { usePlayback } from '../playback/PlaybackProvider.tsx'
import { SoundPrompt } from '../playback/SoundPrompt.tsx'
import { VolumeControl } from '../playback/VolumeControl.tsx'
import { Button } from '../ui/Button.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { useHotkeys } from '../ui/useHotkeys.ts'
import { AmbientClip } from './AmbientClip.tsx'
import { ArtButton } from './ArtButton.tsx'
import { DailyStrip } from './DailyStrip.tsx'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { shownSong } from './discoveryState.ts'
import { Pad } from './Pad.tsx'
import { Particles } from './Particles.tsx'
import { SongWords } from './SongWords.tsx'

interface PlayerViewProps {
  active: boolean
  discovery: DiscoveryEngine
  /** The microgenre's name; undefined until loaded. */
  microgenre: string | null
  /** Set when the microgenres did not load, so nothing is pending. */
  onTryAgain: (() => void) | null
  onPick: () => void
  onFeedback: () => void
  onShortcuts: () => void
  undoButton: ReactNode
}

export function PlayerView(props: PlayerViewProps) {
  const { active, discovery, onTryAgain, undoButton } = props
  const { select } = usePlayback()
  const toggle = () => {
    const state = discovery.state()
    const song = shownSong(state)
    if (song && !state.pending) select(song)
  }
  useHotkeys({ ' ': toggle }, { enabled: active })

  return (
    <div data-stage="" className="stage">
      <div className="max-wide:col-start-1 max-wide:row-span-2 max-wide:row-start-2 lying:col-start-1 lying:row-span-2">
        <Pad rating="bust" discovery={discovery} />
      </div>
      <div className="relative max-wide:col-start-2 max-wide:row-start-2 lying:col-start-2">
        <ArtButton discovery={discovery} hasFailed={onTryAgain !== null} onToggle={toggle} />
        <div className="absolute z-3 max-wide:inset-x-0 max-wide:top-1/2 max-wide:grid max-wide:-translate-y-1/2 max-wide:justify-center wide:right-2 wide:bottom-2">
          <SoundPrompt />
        </div>
      </div>
      <div className="max-wide:col-start-3 max-wide:row-span-2 max-wide:row-start-2 lying:col-start-4 lying:row-span-2 lying:row-start-1">
        <Pad rating="banger" discovery={discovery} />
      </div>
      <Side {...props} />
      <SongWords discovery={discovery} onTryAgain={onTryAgain} undoButton={undoButton} />
      <DailyStrip>{undoButton}</DailyStrip>
      <Particles discovery={discovery} />
      {active && !onTryAgain && <AmbientClip discovery={discovery} />}
    </div>
  )
}

function Side({ microgenre, onPick, onFeedback, onShortcuts, undoButton }: PlayerViewProps) {
  return (
    <div className="stage-side">
      <button
        type="button"
        onClick={onPick}
        aria-label={microgenre ? `Currently listening to ${microgenre}` : 'Choose a microgenre'}
        className="stage-genre"
      >
        <span className="col-span-full text-xs/5 text-ink-2 max-wide:leading-4">Currently listening to </span>
        <b className="stage-genre-name">{microgenre ?? '…'}</b>
        <ChevronDown className="size-5 text-accent" strokeWidth={1.75} aria-hidden="true" />
      </button>
      <div className="hidden flex-wrap items-center gap-x-4 gap-y-1.5 text-xs text-ink-2 large:flex">
        <span className={hint}>
          <Kbd>←</Kbd>Bust
        </span>
        <span className={hint}>
          <Kbd>→</Kbd>Banger
        </span>
        <span className={hint}>
          <Kbd>Space</Kbd>play/pause
        </span>
        <span>Click art to play/pause</span>
      </div>
      <div className="flex flex-none items-center gap-1 wide:flex-wrap">
        <span className="hidden lying:block">{undoButton}</span>
        <Button onClick={onFeedback} className="max-wide:px-3">
          <MessageSquare className="size-5" strokeWidth={1.75} aria-hidden="true" />
          Thoughts?
        </Button>
        <span className="hidden keys:wide:block">
          <Button variant="bare" size="square" aria-label="Keyboard shortcuts" onClick={onShortcuts}>
            <Keyboard className="size-5" strokeWidth={1.75} aria-hidden="true" />
          </Button>
        </span>
        <span className="hidden wide:block">
          <VolumeControl />
        </span>
      </div>
    </div>
  )
}

const hint = 'hidden items-center gap-2 whitespace-nowrap keys:inline-flex'
