import type { Page } from '@playwright/test'

/**
 * From now on keeps what the page's toasts say; gives what reads it. Each is there for a few seconds only, in which
 * a machine that stalls may not look.
 */
export async function hearToasts(page: Page): Promise<() => Promise<string[]>> {
  const said = await page.getByRole('status', { name: 'Notifications' }).evaluateHandle((region) => {
    const texts: string[] = []
    let last = ''
    const hear = () => {
      const text = region.textContent ?? ''
      if (text !== '' && text !== last) texts.push(text)
      last = text
    }
    new MutationObserver(hear).observe(region, { childList: true, subtree: true, characterData: true })
    hear()
    return texts
  })
  return () => said.jsonValue()
}
