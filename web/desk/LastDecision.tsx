import { Undo2 } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { useHotkeys } from '../ui/useHotkeys.ts'
import type { Desk } from './useDesk.ts'

/** The last decision of this visit in words, with its undo. */
export function LastDecision({ desk: { last, isPending, undoLast } }: { desk: Desk }) {
  useHotkeys({ u: undoLast })
  return (
    <div className="flex min-h-(--size-touch) flex-wrap items-center gap-x-3 gap-y-1">
      <p role="status" className="min-w-36 flex-1 text-xs wrap-anywhere text-ink-2">
        {isPending ? 'Sending...' : last?.words}
      </p>
      {last && (
        <Button
          size="tight"
          aria-label="Undo"
          aria-keyshortcuts="U"
          aria-disabled={isPending || undefined}
          onClick={undoLast}
        >
          <Undo2 className="size-5" strokeWidth={1.75} aria-hidden="true" />
          Undo
          <Kbd>U</Kbd>
        </Button>
      )}
    </div>
  )
}
