import { Button } from '../ui/Button.tsx'
import { PlainPage } from './PlainPage.tsx'

/** Authentication could not be checked: no connection, or the server is down. */
export function UnreachableScreen({ onRetry }: { onRetry: () => void }) {
  return (
    <PlainPage title="No answer from the server">
      <p role="alert" className="text-base text-ink-2">
        Check your connection, wait a moment and try again.
      </p>
      <Button variant="main" size="big" onClick={onRetry}>
        Try again
      </Button>
    </PlainPage>
  )
}
