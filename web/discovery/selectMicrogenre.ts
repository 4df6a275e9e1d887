const MICROGENRE_SELECTED = 'microgenre-selected'

/** Dispatches the choice of a microgenre to the page; the player switches to it (discover-4). */
export function selectMicrogenre(microgenreId: string): void {
  window.dispatchEvent(new CustomEvent(MICROGENRE_SELECTED, { detail: { microgenreId } }))
}

/** Calls `listener` at each event; ignores invalid ids. Returns a function that stops it. */
export function onMicrogenreSelected(listener: (microgenreId: string) => void): () => void {
  const onEvent = (event: Event) => {
    const id: unknown = event instanceof CustomEvent ? event.detail?.microgenreId : null
    if (id && (typeof id === 'string' || typeof id === 'number')) listener(String(id))
  }
  window.addEventListener(MICROGENRE_SELECTED, onEvent)
  return () => window.removeEventListener(MICROGENRE_SELECTED, onEvent)
}

/** The address of the map, which marks the microgenre of Discover. */
export const mapPath = (microgenre: string | null): string =>
  microgenre ? `/microgenres?microgenre=${microgenre}` : '/microgenres'
