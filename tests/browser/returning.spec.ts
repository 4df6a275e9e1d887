import type { Page } from '@playwright/test'
import { logout } from '../../contract/auth.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import { expect, newEmail, startSession, test } from './fixtures.ts'
import { urlPattern } from './mockResponses.ts'
import { openDiscover, pad, title, toast } from './testSongs.ts'

const SESSION_ENDED = 'Your session has ended. Sign in to continue where you were.'

/** Requests a sign-in link in the form on screen, and returns the one that development shows. */
async function askForLink(page: Page, email: string): Promise<string> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send magic link' }).click()
  const link = page.getByRole('link', { name: /\/sign-in\/link\?token=/ })
  return (await link.getAttribute('href')) ?? ''
}

test('signin-13: a page requested while signed out opens after signing in, in the tab that the mail opens', async ({
  page,
  context,
}) => {
  const email = newEmail()
  await page.goto('/profile')
  await expect(title(page)).toHaveText('Sign in to start rating')
  await expect(page.getByRole('alert')).toHaveCount(0)
  const link = await askForLink(page, email)
  const tab = await context.newPage()
  await tab.goto(link)
  await expect(tab).toHaveURL('/profile')
  await expect(title(tab)).toHaveText(email)
})

test.describe('while calls of the page may still be under way', () => {
  test.use({ expectedErrors: [/status of 401/] })

  test('@long signin-13: so does a section behind the landing page, when a provider signs in, but not after Logout', async ({
    page,
    app,
  }) => {
    const email = await startSession(page.context())
    await page.goto('/?section=library')
    await expect(title(page)).toHaveText('My Library')
    await page.getByRole('link', { name: 'Logout' }).click()
    await expect(title(page)).toHaveText('Discover Music Like Never Before')
    app.google.seat({ sub: `g-${email}`, email, email_verified: true })
    const signInByGoogle = async () => {
      await page.getByRole('button', { name: 'Get Started' }).click()
      await page.getByRole('link', { name: 'Google' }).click()
      await page.getByRole('link', { name: 'Allow' }).click()
    }
    await signInByGoogle()
    await expect(pad(page, 'BANGER')).toBeEnabled()

    await page.context().clearCookies()
    await page.goto('/?section=community&dialog=people')
    await signInByGoogle()
    await expect(page).toHaveURL(/\/\?section=community&(microgenre=\d+&)?dialog=people$/)
    await expect(page.getByRole('dialog', { name: 'Discover Music Explorers' })).toBeVisible()
  })
})

test.describe('a session that ends', () => {
  test.use({ expectedErrors: [/status of 401/] })

  test('signin-2, signin-13: shows a message, and signing in returns to the open page', async ({ page }) => {
    const email = await openDiscover(page)
    const genre = page.getByRole('button', { name: /^Currently listening to / })
    const name = (await genre.textContent()) ?? ''
    // No earlier call of the page's own may meet the end.
    await page.route(
      urlPattern(listRatings),
      async (route) => {
        await page.request.get(logout.path)
        await route.continue()
      },
      { times: 1 },
    )
    await page.keyboard.press('2')
    await expect(title(page)).toHaveText('Discover Music Like Never Before')
    await expect(toast(page)).toContainText(SESSION_ENDED)
    const place = page.url()
    await page.getByRole('button', { name: 'Get Started' }).click()
    await expect(page.getByRole('alert')).toHaveText(SESSION_ENDED)
    await page.goto(await askForLink(page, email))
    await expect(title(page)).toHaveText('My Library')
    await expect(page).toHaveURL(place)
    await page.keyboard.press('1')
    await expect(genre).toHaveAccessibleName(name)
  })

  test('signin-2: when a session ends at a rating, a message says that the rating was not stored', async ({
    page,
  }) => {
    await openDiscover(page)
    // The session ends as the rating leaves: no earlier call of the page's own may meet its end.
    await page.route(urlPattern(rateAndAdvance), async (route) => {
      await page.request.get(logout.path)
      await route.continue()
    })
    await pad(page, 'BANGER').click()
    await expect(toast(page)).toContainText(`${SESSION_ENDED} Your last rating was not kept.`)
  })

  test('signin-2: a rating that is refused after another call is not forgotten by the message', async ({
    page,
  }) => {
    await openDiscover(page)
    const landing = page.getByRole('button', { name: 'Get Started' })
    await page.route(urlPattern(rateAndAdvance), async (route) => {
      await page.request.get(logout.path)
      await page.keyboard.press('2')
      await landing.waitFor()
      await route.continue()
    })
    await pad(page, 'BANGER').click()
    await expect(toast(page)).toContainText(`${SESSION_ENDED} Your last rating was not kept.`)
    await landing.click()
    await expect(page.getByRole('alert')).toHaveText(SESSION_ENDED)
  })
})
