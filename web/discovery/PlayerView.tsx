import { type ReactNode, useEffect } from 'react'
import { ElsewhereButton } from '../playback/ElsewhereButton.tsx'
import { usePlaybackEngine } from '../playback/PlaybackProvider.tsx'
import { SoundPrompt } from '../playback/SoundPrompt.tsx'
import { isSounding } from '../playback/shownPlayback.ts'
import { VolumeControl } from '../playback/VolumeControl.tsx'
import { Button } from '../ui/Button.tsx'
import { ChevronDown, Keyboard, MessageSquare } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { useStore } from '../ui/store.ts'
import { useHotkeys } from '../ui/useHotkeys.ts'
import { AmbientClip } from './AmbientClip.tsx'
import { ArtButton } from './ArtButton.tsx'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { shownSong } from './discoveryState.ts'
import { NotNowButton } from './NotNowButton.tsx'
import { Pad } from './Pad.tsx'
import { Particles } from './Particles.tsx'
import { PhoneDesk } from './PhoneDesk.tsx'
import { PreviewEnd } from './PreviewEnd.tsx'
import { Reveal } from './Reveal.tsx'
import { SongWords } from './SongWords.tsx'
import { useDiscoverPlayback } from './useDiscoverPlayback.ts'

interface PlayerViewProps {
  active: boolean
  discovery: DiscoveryEngine
  /** The microgenre's name; null until loaded. */
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
  const { select, load } = useDiscoverPlayback()
  const playback = usePlaybackEngine()
  const toggle = () => {
    const state = discovery.state()
    const song = shownSong(state)
    if (song && !state.pending) select(song)
  }
  useHotkeys({ ' ': toggle }, { enabled: active })

  // What one hears is what one rates (playback-24).
  useEffect(() => {
    const { song: current, phase } = playback.state()
    const song = shownSong(discovery.state())
    if (active && song && current && current.id !== song.id && isSounding(phase)) load(song)
  }, [active, discovery, playback, load])

  return (
    <div data-stage="" className="stage">
      <div className="stage-bust">
        <Pad rating="bust" discovery={discovery} />
      </div>
      <div className="stage-column">
        <div className="stage-record">
          <ArtButton discovery={discovery} hasFailed={onTryAgain !== null} onToggle={toggle} />
          <Reveal discovery={discovery} />
          <div className="stage-prompt">
            <SoundPrompt />
          </div>
          <PreviewEnd discovery={discovery} />
        </div>
        <SongWords discovery={discovery} onTryAgain={onTryAgain} />
        <p className="stage-touch-hint">{touchHint}</p>
      </div>
      <div className="stage-banger">
        <Pad rating="banger" discovery={discovery} />
      </div>
      <Side {...props} />
      <PhoneDesk>
        {undoButton}
        <NotNowButton discovery={discovery} />
      </PhoneDesk>
      <Particles discovery={discovery} />
      {active && !onTryAgain && <AmbientClip discovery={discovery} />}
    </div>
  )
}

/** The desk; standing, the row above the stage. */
function Side({ discovery, microgenre, onPick, onFeedback, onShortcuts, undoButton }: PlayerViewProps) {
  const song = useStore(discovery, shownSong)
  return (
    <div className="stage-side">
      <button
        type="button"
        onClick={onPick}
        aria-label={microgenre ? `Currently listening to ${microgenre}` : 'Choose a microgenre'}
        className="stage-genre"
      >
        <span className="col-span-full text-xs/4 text-ink-2">Currently listening to </span>
        <b className="stage-genre-name">{microgenre ?? '…'}</b>
        <ChevronDown className="size-5 text-accent" />
      </button>
      <div className="stage-hints">
        <span className={hint}>
          <Kbd>←</Kbd>Bust
        </span>
        <span className={hint}>
          <Kbd>→</Kbd>Banger
        </span>
        <span className={hint}>
          <Kbd>Space</Kbd>play/pause
        </span>
        <span className="hidden keys:desk:[@media(height>=44rem)]:block">Click art to play/pause</span>
        <span className="keys:hidden">{touchHint}</span>
      </div>
      <div className="flex flex-none items-center gap-1">
        <span className="flex phone:hidden">
          {undoButton}
          <NotNowButton discovery={discovery} />
        </span>
        <span className="hidden standing:block low:block [@media(height<44rem)]:block">
          <ElsewhereButton song={song} />
        </span>
        <Button onClick={onFeedback} className="max-wide:px-3">
          <MessageSquare className="size-5 max-wide:hidden" />
          Thoughts?
        </Button>
        <span className="hidden keys:wide:block">
          <Button variant="bare" size="square" aria-label="Keyboard shortcuts" onClick={onShortcuts}>
            <Keyboard />
          </Button>
        </span>
        <span className="phone:hidden">
          <VolumeControl />
        </span>
      </div>
    </div>
  )
}

const touchHint = 'Swipe the art right for banger, left for bust. Tap it to play or pause.'

const hint = 'hidden items-center gap-2 whitespace-nowrap keys:inline-flex'
