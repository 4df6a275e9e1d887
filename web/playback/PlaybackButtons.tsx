import { Button, IconButton } from '../ui/controls/Button.tsx'
import { Volume1, Volume2, VolumeX } from '../ui/icons.tsx'
import { Spinner } from '../ui/page/Loading.tsx'
import { usePlayback, usePlaybackState } from './PlaybackProvider.tsx'
import { getSoundPrompt, type Phase } from './playbackState.ts'

/** What a press does, or a spinner while loading (playback-2). */
export function PlaybackIcon({ phase, className = 'size-6' }: { phase: Phase; className?: string }) {
  if (phase === 'loading') return <Spinner className={className} />
  return (
    <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" className={className}>
      <path d={phase === 'playing' ? PAUSE_PATH : PLAY_PATH} />
    </svg>
  )
}

/** The accessible name of a button with this icon. */
export function playbackLabel(phase: Phase): string {
  if (phase === 'loading') return 'Loading'
  return phase === 'playing' ? 'Pause' : 'Play'
}

const PLAY_PATH = 'M5 5a2 2 0 0 1 3-1.73l12 7a2 2 0 0 1 0 3.46l-12 7A2 2 0 0 1 5 19z'
const PAUSE_PATH =
  'M6 3h3a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zm9 0h3a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1z'

/** The button that enables sound: while the song plays muted, and for 3 s after the browser blocked it. */
export function SoundPrompt() {
  const { enableSound, toggle } = usePlayback()
  const prompt = usePlaybackState(getSoundPrompt)
  if (!prompt) return null
  return (
    <div role="status">
      <Button variant="main" onClick={prompt === 'tap' ? enableSound : toggle}>
        {prompt === 'tap' && <Volume2 />}
        {soundPromptLabels[prompt]}
      </Button>
    </div>
  )
}

export const soundPromptLabels = { tap: 'Tap for sound', click: 'Click to Enable Audio' }

/** Volume and mute. A phone has keys instead of the slider. */
export function VolumeControl() {
  const { setVolume } = usePlayback()
  const volume = usePlaybackState((state) => state.volume)
  const muted = usePlaybackState((state) => state.muted)
  const isSilent = muted || volume === 0
  const Icon = isSilent ? VolumeX : volume < 50 ? Volume1 : Volume2
  return (
    <div className="flex items-center">
      <IconButton label={isSilent ? 'Unmute' : 'Mute'} onClick={() => setVolume(volume || 80, !isSilent)}>
        <Icon />
      </IconButton>
      <input
        type="range"
        aria-label="Volume"
        min={0}
        max={100}
        step={5}
        value={isSilent ? 0 : volume}
        onChange={(event) => setVolume(event.target.valueAsNumber, event.target.valueAsNumber === 0)}
        className="hidden h-(--size-touch) w-24 cursor-pointer accent-ink keys:large:block"
      />
    </div>
  )
}
