import { Spinner } from '../ui/page/Loading.tsx'
import type { Phase } from './playbackState.ts'

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
