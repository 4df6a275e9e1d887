import { Volume2 } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { usePlayback } from './PlaybackProvider.tsx'

/** What the browser makes the listener do for sound: a button while it plays muted, and for 3 s when it was blocked. */
export function SoundPrompt() {
  const { needsTap, hint, markInteracted, toggle } = usePlayback()
  if (!needsTap && !hint) return null
  return (
    <div role="status">
      <Button variant="main" onClick={needsTap ? markInteracted : toggle}>
        {needsTap && <Volume2 className="size-5" strokeWidth={1.75} aria-hidden="true" />}
        {needsTap ? 'Tap for sound' : 'Click to Enable Audio'}
      </Button>
    </div>
  )
}
