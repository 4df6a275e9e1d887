import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react'
import { lazyPart, WHY_MISSING } from './lazyPart.tsx'
import { toast } from './toast.ts'

interface DialogState {
  open: boolean
  /** Missing for a dialog that opens by itself: without its code it stays closed. */
  onOpenChange?: (open: boolean) => void
}

/** A dialog whose code loads when it first opens. It stays mounted afterwards, so that it can close by itself. */
export function lazyDialog<Props extends DialogState>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const Part = lazyPart(load, (props: Props, onRetry) => <MissingDialog dialog={props} onRetry={onRetry} />)
  return function LazyDialog(props) {
    const [wasOpened, setWasOpened] = useState(props.open)
    if (props.open && !wasOpened) setWasOpened(true)
    return (
      wasOpened && (
        <Suspense>
          <Part {...props} />
        </Suspense>
      )
    )
  }
}

/** When its code does not load, a dialog shows a toast and closes. Opening it again retries. */
function MissingDialog({ dialog, onRetry }: { dialog: DialogState; onRetry: () => void }) {
  const [told, setTold] = useState(false)
  useEffect(() => {
    if (!dialog.open || !dialog.onOpenChange) return
    if (told) return onRetry()
    setTold(true)
    dialog.onOpenChange(false)
    toast({ title: 'Error', description: `This dialog ${WHY_MISSING}`, tone: 'error' })
  }, [dialog, told, onRetry])
  return null
}
