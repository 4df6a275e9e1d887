import { Suspense, useLayoutEffect, useRef, useState } from 'react'
import type { DialogProps } from './DialogPanel.tsx'
import { lazyPart } from './lazyPart.tsx'

/** Its code arrives when the first dialog opens: the main screen has songs to show before that. */
const DialogPanel = lazyPart(async () => (await import('./DialogPanel.tsx')).DialogPanel)

/**
 * A dialog that leaves the video frame free: beside it on a desktop, a sheet beneath it on a phone. The focus
 * stays inside and goes back where it was on closing.
 */
export function Dialog(props: DialogProps) {
  const [opened, setOpened] = useState(props.open)
  if (props.open && !opened) setOpened(true)

  const opener = useRef<Element | null>(null)
  // Before the panel's own effects move the focus into it.
  useLayoutEffect(() => {
    if (props.open) opener.current = document.activeElement
  }, [props.open])

  if (!opened) return null
  return (
    <Suspense>
      <DialogPanel {...props} onClosed={() => giveFocusBack(opener.current)} />
    </Suspense>
  )
}

/** To what opened the dialog, or to the page when that is gone. */
function giveFocusBack(opener: Element | null): void {
  const there = opener instanceof HTMLElement && opener !== document.body && opener.checkVisibility()
  const target = there ? opener : document.querySelector<HTMLElement>('main')
  target?.focus({ preventScroll: true })
}
