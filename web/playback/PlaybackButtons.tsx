import { Button, IconButton } from '../ui/controls/Button.tsx'
import { Volume1, Volume2, VolumeX } from '../ui/icons.tsx'
import { usePlayback, usePlaybackState } from './PlaybackProvider.tsx'
import { getSoundPrompt } from './playbackState.ts'

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
