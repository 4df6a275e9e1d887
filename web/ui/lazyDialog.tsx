import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react'
import { CODE_FAILURE, type LazyComponent, lazyComponent } from './lazyComponent.tsx'
import { toast } from './toast.ts'

interface DialogState {
  open: boolean
  /** Missing for a dialog that opens by itself: without its code it stays closed. */
  onOpenChange?: (open: boolean) => void
}

/** A dialog whose code loads when it first opens. It stays mounted afterwards, so that it can close by itself. */
export function lazyDialog<Props extends DialogState>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  const LazyContent = lazyComponent(load, (props: Props, onRetry) => (
    <FailedDialog dialog={props} onRetry={onRetry} />
  ))
  function LazyDialog(props: Props): ReactNode {
    const [hasOpened, setHasOpened] = useState(props.open)
    if (props.open && !hasOpened) setHasOpened(true)
    return (
      hasOpened && (
        <Suspense>
          <LazyContent {...props} />
        </Suspense>
      )
    )
  }
  return Object.assign(LazyDialog, { preload: LazyContent.preload })
}

/** When its code does not load, a dialog shows a toast and closes. Opening it again retries. */
function FailedDialog({ dialog, onRetry }: { dialog: DialogState; onRetry: () => void }) {
  const [step, setStep] = useState<'missing' | 'closing' | 'closed'>('missing')
  // It closes a moment later, when the browser has gone back.
  if (step === 'closing' && !dialog.open) setStep('closed')
  useEffect(() => {
    if (!dialog.open || !dialog.onOpenChange || step === 'closing') return
    if (step === 'closed') return onRetry()
    setStep('closing')
    dialog.onOpenChange(false)
    toast.error(`This dialog ${CODE_FAILURE}`)
  }, [dialog, step, onRetry])
  return null
}
