import { useLayoutEffect, useRef } from 'react'

const EVENT = 'microgenre-selected'

/** Tells the whole page that a microgenre was chosen: the player goes on with it (discover-4). */
export function raiseMicrogenreSelected(microgenreId: string): void {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: { microgenreId } }))
}

/** Hears of it, whoever raised it; what has no usable id is ignored. */
export function useMicrogenreSelected(handler: (microgenreId: string) => void): void {
  const latest = useRef(handler)
  // With the picture, not after it: a choice that has just appeared may be pressed at once.
  useLayoutEffect(() => {
    latest.current = handler
  })
  useLayoutEffect(() => {
    const hear = (event: Event) => {
      const id = microgenreIdOf(event)
      if (id) latest.current(id)
    }
    window.addEventListener(EVENT, hear)
    return () => window.removeEventListener(EVENT, hear)
  }, [])
}

function microgenreIdOf(event: Event): string | null {
  if (!(event instanceof CustomEvent)) return null
  const id: unknown = event.detail?.microgenreId
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}
