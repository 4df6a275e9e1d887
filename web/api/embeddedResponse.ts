import type { Endpoint, Response } from '../../contract/endpoint.ts'
import { fillPath } from './address.ts'

/** The response to a GET that the page's HTML contains; undefined without one. */
export function readEmbeddedResponse<E extends Endpoint>(
  endpoint: E,
  params: PathParams,
): Response<E> | undefined {
  const text = find(fillPath(endpoint, params))?.textContent
  return text ? (JSON.parse(text) as Response<E>) : undefined
}

/** A page that opens again requests its data again, because the HTML's data is outdated by then. */
export function forgetEmbeddedResponse(endpoint: Endpoint, params: PathParams): void {
  find(fillPath(endpoint, params))?.remove()
}

/** Milliseconds after which the answers of a page are outdated. */
const FRESH = 30_000

/** The JSON that answers a GET at this address, once: a later call asks the server. */
export function takeEmbedded(address: string): string | null {
  const element = find(address)
  element?.remove()
  return performance.now() < FRESH ? (element?.textContent ?? null) : null
}

/** The microgenre whose songs the HTML brought. */
export function embeddedMicrogenre(): string | null {
  const element = document.querySelector<HTMLScriptElement>('script[data-call*="/next-song"]')
  return /\/microgenres\/(\d+)\//.exec(element?.dataset.call ?? '')?.[1] ?? null
}

function find(call: string): HTMLScriptElement | undefined {
  // A browser that goes back may use cached HTML.
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type === 'back_forward') return undefined
  const all = document.querySelectorAll<HTMLScriptElement>('script[type="application/json"]')
  return [...all].find(({ dataset }) => dataset.call === call)
}

type PathParams = Record<string, string>
