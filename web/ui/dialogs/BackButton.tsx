import { Button } from '../controls/Button.tsx'
import { ArrowLeft } from '../icons.tsx'
import { focusElement } from '../keyboard/focusElement.ts'

/** Leads from a page of a dialog to the one before. It takes the focus from what was pressed. */
export function BackButton({ children, onBack }: { children: string; onBack: () => void }) {
  return (
    <Button
      ref={focusElement}
      variant="bare"
      size="tight"
      className="-ml-3 justify-self-start focus-visible:-outline-offset-2 wide:-mt-2"
      onClick={onBack}
    >
      <ArrowLeft />
      {children}
    </Button>
  )
}
