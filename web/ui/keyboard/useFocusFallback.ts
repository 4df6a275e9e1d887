import { type RefObject, useLayoutEffect } from 'react'
import { focusPage } from './openDialogs.ts'

/**
 * When this component removes the control that has the focus, `fallback` takes it, else the page, so that Tab and screen
 * readers go on there.
 */
export function useFocusFallback(fallback?: RefObject<HTMLElement | null>): void {
  const focused = document.activeElement
  useLayoutEffect(() => {
    if (focused?.isConnected !== false) return
    if (fallback?.current) fallback.current.focus()
    else focusPage()
  })
}
