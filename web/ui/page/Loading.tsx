import { Button } from '../controls/Button.tsx'

/** A spinner in the colour of the text. The text beside it says what is loading. */
export function Spinner({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={`animate-spin ${className}`}>
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="2.5" opacity="0.25" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}

/** What is on its way, in words, in the middle of the room that it will need. */
export function Loading({ children, className = 'min-h-40 justify-center' }: LoadingProps) {
  return (
    <p role="status" className={`flex items-center gap-3 text-ink-2 ${className}`}>
      <Spinner /> {children}
    </p>
  )
}

interface LoadingProps {
  children: string
  className?: string
}

interface LoadFailureProps {
  children: string
  /** Whether the page is about what did not load. */
  isMain?: boolean
  onRetry: () => unknown
}

/** Replaces content that did not load: what happened, and a button to try again. */
export function LoadFailure({ children, isMain = false, onRetry }: LoadFailureProps) {
  return (
    <div
      role="alert"
      className={isMain ? 'grid justify-items-start gap-4 text-base' : 'flex flex-wrap items-center gap-3'}
    >
      <p className="text-ink-2">
        {children}
        {isMain && ' Check your connection and try again.'}
      </p>
      <Button variant={isMain ? 'main' : 'outline'} onClick={() => onRetry()}>
        Try again
      </Button>
    </div>
  )
}
