import { Button } from './Button.tsx'

/** Replaces content that did not load: what happened, and a button to try again. */
export function LoadFailure({ children, onRetry }: { children: string; onRetry: () => unknown }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3">
      <p className="text-ink-2">{children}</p>
      <Button onClick={() => onRetry()}>Try again</Button>
    </div>
  )
}
