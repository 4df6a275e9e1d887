import { Button } from '../ui/Button.tsx'
import { Undo2 } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { useStore } from '../ui/store.ts'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { canUndo } from './discoveryState.ts'
import { RevealLine } from './Reveal.tsx'

/** Undoes the last rating, for ten seconds. Its space stays when it disappears, so that nothing moves. */
export function UndoButton({ discovery, onUndo }: { discovery: DiscoveryEngine; onUndo: () => void }) {
  const available = useStore(discovery, canUndo)
  return (
    <span className="undo relative flex-none">
      <RevealLine discovery={discovery} />
      <Button
        variant="bare"
        size="tight"
        aria-label="Undo"
        aria-keyshortcuts="U"
        className={available ? '' : 'invisible'}
        onClick={onUndo}
      >
        <Undo2 />
        <span className="max-[21.875rem]:hidden max-wide:landscape:hidden">Undo</span>
        <span aria-hidden="true" className="max-wide:hidden">
          <Kbd>U</Kbd>
        </span>
      </Button>
    </span>
  )
}
