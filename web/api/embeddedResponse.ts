/** Milliseconds after which the answers of a page are outdated. */
const FRESH = 30_000

/** The JSON that answers a GET at this address, once: a later call asks the server. */
export function takeEmbedded(address: string): string | null {
  const element = findEmbedded(address)
  element?.remove()
  return performance.now() < FRESH ? (element?.textContent ?? null) : null
}

/** The answers to all GETs without a query, once: path and body. */
export function takeAllEmbedded(): [path: string, answer: unknown][] {
  const calls = [...document.querySelectorAll<HTMLScriptElement>('script[data-call]')]
    .map(({ dataset }) => dataset.call ?? '')
    .filter((call) => !call.includes('?'))
  return calls.flatMap((path) => {
    const answer = takeEmbedded(path)
    return answer === null ? [] : [[path, JSON.parse(answer)]]
  })
}

/** The element of the page's HTML with the answer to a GET: to this one, or to the first whose address ends like this. */
export function findEmbedded(call: string | { endsWith: string }): HTMLScriptElement | undefined {
  // A browser that goes back may use cached HTML.
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type === 'back_forward') return undefined
  const all = document.querySelectorAll<HTMLScriptElement>('script[data-call]')
  return [...all].find(({ dataset }) =>
    typeof call === 'string' ? dataset.call === call : dataset.call?.endsWith(call.endsWith),
  )
}
