import { useLayoutEffect, useRef } from 'react'

const MICROGENRE_SELECTED = 'microgenre-selected'

/** Dispatches the choice of a microgenre to the page; the player switches to it (discover-4). */
export function raiseMicrogenreSelected(microgenreId: string): void {
  window.dispatchEvent(new CustomEvent(MICROGENRE_SELECTED, { detail: { microgenreId } }))
}

/** Listens to the event from any source. Ignores invalid ids. */
export function useMicrogenreSelected(handler: (microgenreId: string) => void): void {
  const latest = useRef(handler)
  // In a layout effect, because a choice may be pressed as soon as it is visible.
  useLayoutEffect(() => {
    latest.current = handler
  })
  useLayoutEffect(() => {
    const hear = (event: Event) => {
      const id = microgenreIdOf(event)
      if (id) latest.current(id)
    }
    window.addEventListener(MICROGENRE_SELECTED, hear)
    return () => window.removeEventListener(MICROGENRE_SELECTED, hear)
  }, [])
}

function microgenreIdOf(event: Event): string | null {
  if (!(event instanceof CustomEvent)) return null
  const id: unknown = event.detail?.microgenreId
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}
