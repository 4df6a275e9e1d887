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

function find(call: string): HTMLScriptElement | undefined {
  // A browser that goes back may use cached HTML.
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type === 'back_forward') return undefined
  const all = document.querySelectorAll<HTMLScriptElement>('script[type="application/json"]')
  return [...all].find(({ dataset }) => dataset.call === call)
}

type PathParams = Record<string, string>
