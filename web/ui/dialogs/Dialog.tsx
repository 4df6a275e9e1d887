import { useLayoutEffect, useRef } from 'react'
import { focusPage } from '../keyboard/openDialogs.ts'
import { lazyDialog } from '../page/lazyComponent.tsx'
import type { DialogProps } from './DialogPanel.tsx'

export type { OpenState } from './DialogPanel.tsx'

/** Loaded when the first dialog opens, so that it does not delay the main screen. */
export const DialogPanel = lazyDialog(async () => (await import('./DialogPanel.tsx')).DialogPanel)

/**
 * A dialog that leaves the video free: beside it on a desktop, a sheet above it on a phone. The focus stays inside
 * and returns on closing.
 */
export function Dialog(props: DialogProps) {
  const opener = useRef<Element | null>(null)
  // Runs before the panel's effects move the focus.
  useLayoutEffect(() => {
    if (props.open) opener.current = document.activeElement
  }, [props.open])
  return <DialogPanel {...props} onClosed={() => restoreFocus(opener.current)} />
}

/** To the element that opened the dialog, or to the page when it is gone. */
function restoreFocus(opener: Element | null): void {
  const isVisible = opener instanceof HTMLElement && opener !== document.body && opener.checkVisibility()
  if (isVisible) opener.focus({ preventScroll: true })
  else focusPage()
}
