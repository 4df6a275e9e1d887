import { visitorAt } from './visitor.ts'

/**
 * Follows a sign-in's redirect, presses Allow or Deny, and follows until the provider sends the browser back.
 * Returns that address. Each visit uses a browser that the provider has not seen before.
 */
export async function visitProvider(start: string, choice: 'Allow' | 'Deny'): Promise<URL> {
  const { origin } = new URL(start)
  const browser = visitorAt(origin)
  let at = new URL(start)
  for (let steps = 0; steps < 10; steps++) {
    const { status, headers, text } = await browser.raw(at.pathname + at.search)
    const link = status === 200 ? new RegExp(`<a href="([^"]+)">${choice}</a>`).exec(text)?.[1] : null
    const next = headers.location ?? link?.replaceAll('&amp;', '&')
    if (!next) throw new Error(`The provider stopped at ${at.pathname} with ${status}: ${text.slice(0, 300)}`)
    at = new URL(next, at)
    if (at.origin !== origin) return at
  }
  throw new Error('The provider goes round and round.')
}
