import { expect, type Page, type Route } from '@playwright/test'
import type { Endpoint, ResponseOf } from '../../contract/endpoint.ts'
import { pathAt, SUB_PATH } from '../harness/tier.ts'

/* Responses that the real server cannot be made to give: failures, delays, exact numbers. */

/** Matches the call's path with any parameters and query. */
export const urlPattern = ({ path }: Pick<Endpoint, 'path'>) =>
  new RegExp(`^http://[^/]+${SUB_PATH}${path.replace(/:\w+/g, '[^/]+')}(\\?.*)?$`)

/** Any successful call of the server. */
const PROBE = `${SUB_PATH}/health`

/**
 * Chromium applies the first route of an open page a moment after it says so, and a request made meanwhile would reach
 * the server. So this waits until a request is routed.
 */
async function routeAndWait(
  page: Page,
  address: RegExp,
  handle: (route: Route) => Promise<void>,
): Promise<void> {
  await page.route(address, handle)
  // The next page begins with its routes.
  if (!page.url().startsWith('http')) return
  await page.route(`**${PROBE}`, (route) => route.fulfill({ status: 204 }))
  await expect(async () => {
    expect(await page.evaluate(async (probe) => (await fetch(probe)).status, PROBE)).toBe(204)
  }).toPass()
  await page.unroute(`**${PROBE}`)
}

/** From now on the page gets this response to the call. */
export async function mockResponse<E extends Endpoint>(
  page: Page,
  endpoint: E,
  json: ResponseOf<E>,
): Promise<void> {
  await routeAndWait(page, urlPattern(endpoint), (route) =>
    route.request().method() === endpoint.method ? route.fulfill({ json }) : route.fallback(),
  )
}

/** From now on the call fails with 500, until the returned function is called. */
export async function failCall(page: Page, endpoint: Endpoint, search = ''): Promise<() => Promise<void>> {
  const address = urlPattern(endpoint)
  await routeAndWait(page, address, (route) =>
    route.request().method() === endpoint.method && route.request().url().includes(search)
      ? route.fulfill({ status: 500, body: '' })
      : route.fallback(),
  )
  return () => page.unroute(address)
}

/** From now on the server answers the call, but its answers do not arrive, until the returned function is called. */
export async function loseResponse(page: Page, endpoint: Endpoint): Promise<() => Promise<void>> {
  const address = urlPattern(endpoint)
  await routeAndWait(page, address, async (route) => {
    await route.fetch()
    await route.abort()
  })
  return () => page.unroute(address)
}

/** From now on responses to the call or address are held back, until the returned function is called. */
export async function holdResponse(page: Page, what: Endpoint | RegExp): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await routeAndWait(page, what instanceof RegExp ? what : urlPattern(what), async (route) => {
    await released
    await route.fallback()
  })
  return () => release()
}

/** The API calls that the page makes from now on, as `METHOD /path`, with queries if asked for. */
export function watchCalls(page: Page, { queries = false } = {}): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const path = pathAt(request.url())
    const { search } = new URL(request.url())
    if (path.startsWith('/api/')) calls.push(`${request.method()} ${path}${queries ? search : ''}`)
  })
  return calls
}

/** Chromium's console lines about calls that a test lets fail. */
export const SERVER_ERROR = /status of 500/
