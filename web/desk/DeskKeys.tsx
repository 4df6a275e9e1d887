import { ACTIONS_OF, type DeskCase } from '../../contract/desk.ts'
import { Button } from '../ui/Button.tsx'
import { Undo2 } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { useHotkeys } from '../ui/useHotkeys.ts'
import { kinds } from './deskWords.ts'
import type { Desk, Need } from './useDesk.ts'

interface DeskKeysProps {
  case: DeskCase
  desk: Desk
  onNeed: (need: Need) => void
  onToggle: () => void
}

/** The decisions, by keys like those of the player: → keeps, ← does not (desk-23). */
export function DeskKeys({ case: { subject, suggestion }, desk, onNeed, onToggle }: DeskKeysProps) {
  const { left, right } = kinds[subject]
  const actions: readonly string[] = ACTIONS_OF[subject]
  const { isPending, decide, putOff, approveAll } = desk
  const suggester = suggestion?.suggester
  // Only a suggester reads a reason.
  const drop = () => (suggestion ? onNeed('reject') : decide({ action: left.action }))
  const keep = () => (subject === 'microgenre' ? onNeed('approve') : decide({ action: right.action }))
  const correct = actions.includes('correct') ? () => onNeed('correct') : undefined
  const merge = actions.includes('merge') ? () => onNeed('merge') : undefined
  const nothing = () => {}
  useHotkeys({
    ArrowLeft: drop,
    ArrowRight: keep,
    ' ': onToggle,
    c: correct ?? nothing,
    m: merge ?? nothing,
    s: putOff,
  })
  const wait = isPending || undefined
  return (
    <>
      <div className="desk-keys">
        <Button
          size="big"
          aria-label={left.name}
          aria-keyshortcuts="ArrowLeft"
          aria-disabled={wait}
          onClick={drop}
        >
          <Kbd>←</Kbd>
          {left.name}
        </Button>
        <Button
          variant="main"
          size="big"
          aria-label={right.name}
          aria-keyshortcuts="ArrowRight"
          aria-disabled={wait}
          onClick={keep}
        >
          {right.name}
          <Kbd>→</Kbd>
        </Button>
      </div>
      <div className="grid content-start gap-3">
        <div className="flex flex-wrap gap-2">
          {correct && <Further name="Correct" shortcut="C" onClick={correct} />}
          {merge && <Further name="Merge" shortcut="M" onClick={merge} />}
          <Further name="Not now" shortcut="S" onClick={putOff} />
        </div>
        {suggester?.isTrusted && suggester.waiting > 1 && (
          <Button aria-disabled={wait} onClick={() => approveAll(suggester.id)}>
            <span className="whitespace-normal wrap-anywhere">
              {`Approve all ${suggester.waiting} of ${suggester.name ?? 'this listener'}`}
            </span>
          </Button>
        )}
        <LastDecision desk={desk} />
      </div>
    </>
  )
}

function Further({ name, shortcut, onClick }: { name: string; shortcut: string; onClick: () => void }) {
  return (
    <Button size="tight" aria-label={name} aria-keyshortcuts={shortcut} onClick={onClick}>
      {name}
      <Kbd>{shortcut}</Kbd>
    </Button>
  )
}

/** The last decision of this visit in words, with its undo. */
export function LastDecision({ desk: { last, isPending, undoLast } }: { desk: Desk }) {
  useHotkeys({ u: undoLast })
  return (
    <div className="flex min-h-(--size-touch) flex-wrap items-center gap-x-3 gap-y-1">
      <p role="status" className="min-w-36 flex-1 text-xs wrap-anywhere text-ink-2">
        {isPending ? 'Sending...' : last?.words}
      </p>
      {last && (
        <Button size="tight" aria-label="Undo" aria-keyshortcuts="U" pending={isPending} onClick={undoLast}>
          <Undo2 />
          Undo
          <Kbd>U</Kbd>
        </Button>
      )}
    </div>
  )
}
