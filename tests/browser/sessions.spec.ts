import type { Page } from '@playwright/test'
import { getCurrentUser } from '../../contract/auth.ts'
import { endAllSessions, endSession, listSessions } from '../../contract/sessions.ts'
import { fail, SERVER_ERROR } from './answers.ts'
import { expect, newEmail, signIn, signInByLink, test } from './fixtures.ts'
import { toast } from './stock.ts'

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

test.describe('when the server fails', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('@long a list that does not load and a session that does not end show an error and can be retried', async ({
    page,
    playwright,
    baseURL,
  }) => {
    const email = newEmail()
    const other = await playwright.request.newContext({ baseURL: baseURL ?? '', userAgent: PHONE })
    await signInByLink(other, email)
    const mendList = await fail(page, listSessions)
    await signIn(page, { email, path: '/profile' })
    await expect(section(page)).toContainText('The list of your sessions did not load.')
    await mendList()
    await section(page).getByRole('button', { name: 'Try again' }).click()
    await expect(rows(page)).toHaveCount(2)

    const mendOne = await fail(page, endSession)
    await section(page).getByRole('button', { name: 'Sign out Safari on iPhone' }).click()
    await expect(toast(page)).toContainText('That browser was not signed out. Please try again.')
    await expect(rows(page)).toHaveCount(2)
    await mendOne()

    const mendAll = await fail(page, endAllSessions)
    await section(page).getByRole('button', { name: 'Sign out everywhere' }).click()
    await expect(toast(page)).toContainText('You are still signed in. Please try again.')
    await mendAll()
    expect((await other.get(getCurrentUser.path)).status()).toBe(200)
    await other.dispose()
  })
})
