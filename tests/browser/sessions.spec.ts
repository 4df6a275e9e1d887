import type { Page } from '@playwright/test'
import { getCurrentUser } from '../../contract/auth.ts'
import { expect, newEmail, signIn, signInByLink, test } from './fixtures.ts'
import { toast } from './testSongs.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

const section = (page: Page) => page.getByRole('region', { name: 'Where you are signed in' })
const rows = (page: Page) => section(page).getByRole('listitem')

test("the profile lists the listener's sessions, and can end one", async ({ page, browser, baseURL }) => {
  const email = newEmail()
  const phone = await browser.newContext({ baseURL: baseURL ?? '', userAgent: PHONE })
  await signInByLink(phone.request, email)
  await signIn(page, { email, path: '/profile' })

  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).first()).toContainText(/^Chrome on \w+Signed in /)
  await expect(rows(page).first()).toContainText('This browser')
  await expect(rows(page).first().getByRole('button')).toHaveCount(0)
  await expect(rows(page).nth(1)).toContainText('Safari on iPhone')
  await expect(rows(page).nth(1)).toContainText(/Last used .+Signed in /)
  await section(page).getByRole('button', { name: 'Sign out Safari on iPhone' }).click()
  await expect(toast(page)).toContainText('Safari on iPhone is signed out now.')
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeFocused()
  expect((await phone.request.get(getCurrentUser.path)).status()).toBe(401)
  await phone.close()
})
