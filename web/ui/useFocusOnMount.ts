import { useEffect, useRef } from 'react'

/** The ref of an element that takes the focus when it appears, in place of what had it and is gone. */
export function useFocusOnMount<E extends HTMLElement>(wanted = true) {
  const element = useRef<E>(null)
  useEffect(() => {
    if (wanted) element.current?.focus()
  }, [wanted])
  return element
}
