import { type Browser, expect as baseExpect, type Page } from '@playwright/test'
import { SUB_PATH } from '../harness/tier.ts'

/*
 * Playwright resolves `/profile` against the host, whatever path the base URL has. So that tests can name the paths of
 * the application, these functions put TEST_SUB_PATH before them.
 */

const below = (address: unknown) =>
  typeof address === 'string' && address.startsWith('/') ? SUB_PATH + address : address

/** From now on every page, context and request of this worker does. */
export async function goBelowSubPath(browser: Browser): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  for (const name of ['goto', 'route', 'unroute', 'waitForURL', 'waitForRequest', 'waitForResponse'] as const)
    change(page, name)
  for (const name of ['route', 'unroute'] as const) change(context, name)
  // The other methods call it.
  change(context.request, 'fetch')
  await context.close()
}

function change<Name extends string>(object: Record<Name, (...given: never[]) => unknown>, name: Name): void {
  const own = Object.getPrototypeOf(object) as Record<string, (...given: unknown[]) => unknown>
  const method = own[name]
  own[name] = function (address, ...rest) {
    return method?.call(this, below(address), ...rest)
  }
}

/** Playwright's, with `toHaveURL` for paths of the application. */
export const expect =
  SUB_PATH === ''
    ? baseExpect
    : baseExpect.extend({
        async toHaveURL(page: Page, url: string | RegExp, options?: { timeout?: number }) {
          try {
            await baseExpect(page).toHaveURL(url instanceof RegExp ? url : String(below(url)), options)
            return { pass: true, message: () => '' }
          } catch (error) {
            return { pass: false, message: () => String(error) }
          }
        },
      })
