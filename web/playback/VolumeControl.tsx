import { IconButton } from '../ui/controls/Button.tsx'
import { Volume1, Volume2, VolumeX } from '../ui/icons.tsx'
import { usePlayback, usePlaybackState } from './PlaybackProvider.tsx'

/**
 * The listener's volume and mute, stored in this browser. On a phone there is no slider, because phones have keys.
 */
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
        className="hidden h-(--size-touch) w-24 cursor-pointer accent-ink keys:desk:block"
      />
    </div>
  )
}
