import { useEffect, useRef } from 'react'

/** The ref of an element that takes the focus when it appears, in place of what had it and is gone. */
export function useFocusOnMount<E extends HTMLElement>(isEnabled = true) {
  const element = useRef<E>(null)
  useEffect(() => {
    if (isEnabled) element.current?.focus()
  }, [isEnabled])
  return element
}
