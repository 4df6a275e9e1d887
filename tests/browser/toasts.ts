import type { Page } from '@playwright/test'
import type { Database } from '../../server/db/connection.ts'

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

/** The text beside a label. */
export const fact = (page: Page, name: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('..')
    .getByRole('definition')

/** Cases of other tests do not wait. */
export async function emptyDesk(db: Database): Promise<void> {
  await db`update suggestions set state = 'withdrawn' where state = 'waiting'`
  await db`update reports set withdrawn_at = now() where closed_by is null`
  await db`update video_candidates set refusal = 'other song' where refusal is not null`
  await db`update found_microgenres set state = 'rejected' where state = 'waiting'`
}
