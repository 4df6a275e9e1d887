import { Suspense, useLayoutEffect, useRef, useState } from 'react'
import type { DialogProps } from './DialogPanel.tsx'
import { lazyPart } from './lazyPart.tsx'

/** Loaded when the first dialog opens, so that it does not delay the main screen. */
const DialogPanel = lazyPart(async () => (await import('./DialogPanel.tsx')).DialogPanel)

/**
 * A dialog that leaves the video free: beside it on a desktop, a sheet below it on a phone. The focus stays inside
 * and returns on closing.
 */
export function Dialog(props: DialogProps) {
  const [opened, setOpened] = useState(props.open)
  if (props.open && !opened) setOpened(true)

  const opener = useRef<Element | null>(null)
  // Runs before the panel's effects move the focus.
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

/** To the element that opened the dialog, or to the page when it is gone. */
function giveFocusBack(opener: Element | null): void {
  const there = opener instanceof HTMLElement && opener !== document.body && opener.checkVisibility()
  const target = there ? opener : document.querySelector<HTMLElement>('main')
  target?.focus({ preventScroll: true })
}
