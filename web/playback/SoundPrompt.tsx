import { Volume2 } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { usePlayback } from './PlaybackProvider.tsx'

/** What the browser makes the listener do for sound: a button while it plays muted, a hint when it was blocked. */
export function SoundPrompt() {
  const { needsTap, hint, markInteracted } = usePlayback()
  if (needsTap) {
    return (
      <Button variant="main" onClick={markInteracted}>
        <Volume2 className="size-5" strokeWidth={1.75} aria-hidden="true" />
        Tap for sound
      </Button>
    )
  }
  if (!hint) return null
  return (
    <p
      role="status"
      className="pointer-events-none rounded-control bg-ink px-4 py-2.5 font-semibold text-paper"
    >
      Click to Enable Audio
    </p>
  )
}
