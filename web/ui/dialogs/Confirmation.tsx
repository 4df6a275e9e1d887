import type { ReactNode } from 'react'
import { Button } from '../controls/Button.tsx'
import { focusElement } from '../keyboard/focusElement.ts'

interface ConfirmationProps {
  /** The question, in a paragraph. */
  children: ReactNode
  confirmText: string
  pendingText: string
  isPending: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before something is deleted. The focus is on the button that keeps it. */
export function Confirmation({
  children,
  confirmText,
  pendingText,
  isPending,
  onConfirm,
  onCancel,
}: ConfirmationProps) {
  return (
    <div className="grid gap-3">
      {children}
      <div className="flex flex-wrap gap-3">
        <Button pending={isPending} className="border-danger! text-danger!" onClick={onConfirm}>
          {isPending ? pendingText : confirmText}
        </Button>
        <Button ref={focusElement} variant="bare" onClick={onCancel}>
          Keep it
        </Button>
      </div>
    </div>
  )
}
