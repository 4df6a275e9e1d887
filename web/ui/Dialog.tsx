import { lazy, type ReactNode, Suspense, useState } from 'react'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** A sentence below the title, read out with it. */
  description?: ReactNode
  children: ReactNode
  /** The widest it gets on a desktop; a CSS length. */
  width?: string
  /** On a phone as tall as there is room, whatever it holds. */
  tall?: boolean
}

/** Its code arrives when the first dialog opens: the main screen has songs to show before that. */
const DialogPanel = lazy(async () => ({ default: (await import('./DialogPanel.tsx')).DialogPanel }))

/**
 * A dialog that leaves the video frame free: beside it on a desktop, a sheet beneath it on a phone. The focus
 * stays inside and goes back where it was on closing.
 */
export function Dialog(props: DialogProps) {
  const [opened, setOpened] = useState(props.open)
  if (props.open && !opened) setOpened(true)
  if (!opened) return null
  return (
    <Suspense>
      <DialogPanel {...props} />
    </Suspense>
  )
}
