import type { Page } from '@playwright/test'

/**
 * Records the texts of the page's toasts from now on; returns a function that reads them. Each shows for a few
 * seconds only, which a slow machine may miss.
 */
export async function recordToasts(page: Page): Promise<() => Promise<string[]>> {
  const recorded = await page.getByRole('status', { name: 'Notifications' }).evaluateHandle((region) => {
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
  return () => recorded.jsonValue()
}
