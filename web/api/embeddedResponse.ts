/** Milliseconds after which the answers of a page are outdated. */
const FRESH = 30_000

/** The JSON that answers a GET at this address, once: a later call asks the server. */
export function takeEmbedded(address: string): string | null {
  const element = findEmbedded(address)
  element?.remove()
  return performance.now() < FRESH ? (element?.textContent ?? null) : null
}

/** The element of the page's HTML with the answer to a GET. */
export function findEmbedded(call: string): HTMLScriptElement | undefined {
  // A browser that goes back may use cached HTML.
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type === 'back_forward') return undefined
  const all = document.querySelectorAll<HTMLScriptElement>('script[data-call]')
  return [...all].find(({ dataset }) => dataset.call === call)
}
