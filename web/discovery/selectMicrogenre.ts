import { useLayoutEffect, useRef } from 'react'

const MICROGENRE_SELECTED = 'microgenre-selected'

/** Dispatches the choice of a microgenre to the page; the player switches to it (discover-4). */
export function selectMicrogenre(microgenreId: string): void {
  window.dispatchEvent(new CustomEvent(MICROGENRE_SELECTED, { detail: { microgenreId } }))
}

/** Listens to the event from any source. Ignores invalid ids. */
export function useMicrogenreSelected(handler: (microgenreId: string) => void): void {
  const latestHandler = useRef(handler)
  // In a layout effect, because a choice may be pressed as soon as it is visible.
  useLayoutEffect(() => {
    latestHandler.current = handler
  })
  useLayoutEffect(() => {
    const onEvent = (event: Event) => {
      const id = microgenreIdOf(event)
      if (id) latestHandler.current(id)
    }
    window.addEventListener(MICROGENRE_SELECTED, onEvent)
    return () => window.removeEventListener(MICROGENRE_SELECTED, onEvent)
  }, [])
}

function microgenreIdOf(event: Event): string | null {
  if (!(event instanceof CustomEvent)) return null
  const id: unknown = event.detail?.microgenreId
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}

/** The address of the map; it names the microgenre of Discover, which the map marks. */
export const mapPath = (microgenre: string | null): string =>
  microgenre ? `/microgenres?microgenre=${microgenre}` : '/microgenres'
