import { Button } from '../ui/controls/Button.tsx'
import { Volume2 } from '../ui/icons.tsx'
import { usePlayback, usePlaybackState } from './PlaybackProvider.tsx'
import { getSoundPrompt } from './shownPlayback.ts'

/**
 * What the listener must press for sound: a button while the song plays muted, and a hint for 3 s when it was
 * blocked.
 */
export function SoundPrompt() {
  const { markInteracted, toggle } = usePlayback()
  const prompt = usePlaybackState(getSoundPrompt)
  if (!prompt) return null
  return (
    <div role="status">
      <Button variant="main" onClick={prompt === 'tap' ? markInteracted : toggle}>
        {prompt === 'tap' && <Volume2 />}
        {soundPromptLabels[prompt]}
      </Button>
    </div>
  )
}

export const soundPromptLabels = { tap: 'Tap for sound', click: 'Click to Enable Audio' }
