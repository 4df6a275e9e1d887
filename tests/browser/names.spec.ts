import type { Page } from '@playwright/test'
import { expect, openDiscover, pad, test, title } from './testSongs.ts'

/* What a listener with another keyboard and other scripts meets. */

/** A press on a keyboard whose layout prints `key` at the place `code`. */
const press = (page: Page, key: string, code: string) =>
  page.evaluate(
    (init) => document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true })),
    { key, code },
  )

test('screens-6: keys of a French and a Russian keyboard; names from right to left have their own direction', async ({
  page,
  stock,
}) => {
  await stock([{ title: 'شعر (حي) 1999', artist: 'فرقة 12' }])
  await openDiscover(page)
  await expect(title(page)).toHaveCSS('direction', 'rtl')
  await expect(page.getByRole('main').getByText('فرقة 12', { exact: true }).first()).toHaveCSS(
    'direction',
    'rtl',
  )
  await expect(page).toHaveTitle(/^\u2068شعر \(حي\) 1999\u2069 by \u2068فرقة 12\u2069 · /)

  await press(page, '?', 'Digit7')
  const overlay = page.getByRole('dialog', { name: 'Keyboard Shortcuts' })
  await expect(overlay).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(overlay).toBeHidden()
  await press(page, 'é', 'Digit2')
  await expect(title(page)).toHaveText('My Library')
  await press(page, '&', 'Digit1')
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
  await press(page, 'г', 'KeyU')
  await expect(title(page)).toHaveText('شعر (حي) 1999')
})
