import { type ReactNode, useState } from 'react'
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

interface DeleteButtonProps {
  label: string
  /** The question. */
  children: ReactNode
  isPending: boolean
  onConfirm: () => void
}

/** A button that asks before it deletes. */
export function DeleteButton({ label, children, isPending, onConfirm }: DeleteButtonProps) {
  const [step, setStep] = useState<'initial' | 'asking' | 'cancelled'>('initial')
  return step === 'asking' ? (
    <Confirmation
      confirmText="Delete"
      pendingText="Deleting..."
      isPending={isPending}
      onConfirm={onConfirm}
      onCancel={() => setStep('cancelled')}
    >
      <p className="text-base wrap-anywhere">{children}</p>
    </Confirmation>
  ) : (
    <Button
      ref={step === 'cancelled' ? focusElement : undefined}
      variant="bare"
      className="-ml-4.5 justify-self-start text-danger!"
      onClick={() => setStep('asking')}
    >
      {label}
    </Button>
  )
}
