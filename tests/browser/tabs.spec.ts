import type { BrowserContext, Page } from '@playwright/test'
import { logout } from '../../contract/auth.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { expect, newEmail, signInByLink, startSession, test } from './fixtures.ts'
import { openRatedLibrary, tiles } from './libraryPage.ts'
import { openDiscover, pad, title, toast } from './testSongs.ts'

/* Two tabs of one browser, and two accounts (signin-26). */

const ACCOUNT_CHANGED = 'This browser is signed in to another account now.'

// What a page sends by itself may be refused before it learns who is signed in.
test.use({ expectedErrors: [/status of (401|409)/] })

/** As in a tab that was frozen when the message was sent. */
const loseMessages = (context: BrowserContext) =>
  context.addInitScript(() => {
    Object.defineProperty(window, 'BroadcastChannel', {
      value: class {
        postMessage() {}
        close() {}
      },
    })
  })

const becomeVisible = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

test('signin-26: a tab starts anew when another one signs in to another account', async ({
  page,
  context,
}) => {
  await openDiscover(page)
  const email = await startSession(context)
  const tab = await context.newPage()
  await tab.goto('/profile')
  await expect(toast(page)).toContainText(ACCOUNT_CHANGED)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await page.getByRole('button', { name: /^Bangers/ }).click()
  await expect(title(page)).toHaveText(email)
})

test('signin-26, signin-4: a tab follows a sign-out and a sign-in in another tab', async ({
  page,
  context,
}) => {
  await openDiscover(page)
  const tab = await context.newPage()
  await tab.goto('/')
  await tab.getByRole('link', { name: 'Logout' }).click()
  await expect(title(page)).toHaveText('Discover Music Like Never Before')
  await expect(toast(page)).toContainText('You signed out in another tab.')

  await page.goto('/auth')
  await expect(title(page)).toHaveText('Sign in to start rating')
  await startSession(context)
  await tab.goto('/')
  await expect(page).toHaveURL('/')
  await expect(pad(page, 'BANGER')).toBeEnabled()
})

test.describe('when the message is lost', () => {
  test.beforeEach(({ context }) => loseMessages(context))

  test('signin-26: neither a rating nor a bio is stored for another listener', async ({
    page,
    context,
    app,
  }) => {
    await openDiscover(page)
    await startSession(context)
    await page.keyboard.press('ArrowRight')
    await expect(toast(page)).toContainText(ACCOUNT_CHANGED)
    expect(await (await page.request.get(listRatings.path)).json()).toEqual([])

    await page.goto('/?dialog=profile')
    await page.getByLabel('Bio').fill('I rate dub.')
    const { length } = await app.db`select from users where bio is not null`
    await startSession(context)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page)).toContainText(ACCOUNT_CHANGED)
    await expect(page.getByLabel('Bio')).toHaveValue('')
    expect(await app.db`select from users where bio is not null`).toHaveLength(length)
  })

  test('signin-26, library-14: a pending removal does not remove the rating of another listener', async ({
    page,
    context,
    app,
  }) => {
    const [banger] = await openRatedLibrary(page, { banger: 1 })
    const { id: songId = '', microgenreId } = banger?.song ?? {}
    await page.getByRole('button', { name: /^Remove from library/ }).click()
    await startSession(context)
    await page.request.post(rateAndAdvance.path, { data: { microgenreId, songId, rating: 'banger' } })
    const rated = () =>
      app.db`select user_id from ratings where song_id = ${songId} and banger order by user_id`
    const before = await rated()
    await toast(page).getByRole('button', { name: 'Dismiss' }).click()
    await expect(toast(page)).toContainText(ACCOUNT_CHANGED)
    await expect(tiles(page)).toHaveCount(1)
    expect(await rated()).toEqual(before)
  })

  test('signin-26: a tab checks who is signed in when it becomes visible', async ({ page }) => {
    await openDiscover(page)
    await page.request.get(logout.path)
    await becomeVisible(page)
    await expect(title(page)).toHaveText('Discover Music Like Never Before')
    await signInByLink(page.request, newEmail())
    await page.request.put(updateProfile.path, { data: { bio: 'Somebody else' } })
    await becomeVisible(page)
    await expect(toast(page)).toContainText(ACCOUNT_CHANGED)
  })
})
