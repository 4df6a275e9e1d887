import type { Page } from '@playwright/test'
import { getCurrentUser, logout } from '../../contract/auth.ts'
import { listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import { getMyStats } from '../../contract/profiles.ts'
import { pathAt } from '../harness/tier.ts'
import { expect, newEmail, signIn, test } from './fixtures.ts'
import { failCall, mockResponse, SERVER_ERROR, urlPattern } from './mockResponses.ts'
import { genre, openDiscover, pad, picker, title } from './testSongs.ts'

const counter = (page: Page) => page.getByRole('button', { name: /^Bangers/ })
const sections = (page: Page) => page.getByRole('navigation', { name: 'Sections' })

test('screens-2, screens-3, screens-4, discover-1: three sections switch without a navigation, and keep the song', async ({
  page,
}) => {
  await openDiscover(page)
  const buttons = sections(page).getByRole('button')
  await expect(buttons).toHaveText([/^Discover/, /^My Library/, /^Community/])
  await expect(buttons.first()).toHaveAttribute('aria-current', 'page')
  const before = (await genre(page).textContent()) ?? ''
  const song = (await title(page).textContent()) ?? ''
  const requests: string[] = []
  page.on('request', (request) => {
    const isDocument = request.isNavigationRequest() && request.frame() === page.mainFrame()
    // The queue may be refilled meanwhile.
    if (isDocument || request.url().includes('/next-song?_t')) requests.push(request.url())
  })
  for (const [name, text] of [
    ['My Library', 'My Library'],
    ['Community', 'Community Insights'],
    ['Discover', song],
  ] as const) {
    const button = sections(page).getByRole('button', { name })
    await button.click()
    await expect(title(page)).toHaveText(text)
    await expect(button).toHaveAttribute('aria-current', 'page')
    expect(pathAt(page.url())).toBe('/')
  }
  await expect(genre(page)).toHaveText(before)
  expect(requests).toEqual([])
})

test.describe('the header', () => {
  test('screens-5, library-8: the counter shows totalBangers, updates after a banger, and links to the profile', async ({
    page,
  }) => {
    await signIn(page, { rated: { banger: 2, bust: 1 } })
    const { totalBangers } = await (await page.request.get(getMyStats.path)).json()
    expect(totalBangers).toBe(2)
    await expect(counter(page)).toHaveText(/^Bangers\s*2$/)
    await pad(page, 'BANGER').click()
    await expect(counter(page)).toHaveText(/^Bangers\s*3$/)
    await expect(pad(page, 'BUST')).toBeEnabled()
    const [rated] = await Promise.all([
      page.waitForResponse(urlPattern(rateAndAdvance)),
      pad(page, 'BUST').click(),
    ])
    expect((await rated.json()).totals).toEqual({ totalBangers: 3, totalRatings: 5 })
    await expect(counter(page)).toHaveText(/^Bangers\s*3$/)
    await counter(page).click()
    await expect(page).toHaveURL('/profile')
    await expect(page.getByRole('button', { name: 'Back to Discovery' })).toBeVisible()
  })

  test.describe('while the page has requests open', () => {
    test.use({ expectedErrors: [/401 \(Unauthorized\)/] })

    test('screens-5, screens-7, signin-12: the picture, or a letter without one, opens the own profile; Logout ends the session', async ({
      page,
      app,
    }) => {
      const email = await signIn(page)
      const profile = page.getByRole('button', { name: 'Your profile' })
      const picture = profile.getByRole('presentation', { includeHidden: true })
      await expect(profile).toHaveText('L')
      await expect(picture).toHaveCount(0)

      // If the picture did not load, the letter would show.
      const dot = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
      await app.db`update users set profile_image_url = ${dot} where email = ${email}`
      await page.reload()
      await expect(picture).toHaveAttribute('src', dot)
      await expect(profile).toHaveText('')
      await profile.click()
      await expect(page.getByRole('dialog', { name: 'Profile' })).toContainText(email)
      await page.keyboard.press('Escape')

      const [request] = await Promise.all([
        page.waitForRequest(urlPattern(logout)),
        page.getByRole('link', { name: 'Logout' }).click(),
      ])
      expect(request.isNavigationRequest()).toBe(true)
      expect(request.frame()).toBe(page.mainFrame())
      await expect(page).toHaveURL('/')
      await expect(title(page)).toHaveText('Discover Music Like Never Before')
      expect((await page.request.get(getCurrentUser.path)).status()).toBe(401)
    })
  })
})

test.describe('the microgenre', () => {
  test('@long discover-1: without microgenres the picker opens, and says so', async ({ page }) => {
    await mockResponse(page, listMicrogenres, [])
    await signIn(page)
    await expect(picker(page)).toContainText('There are no microgenres yet.')
  })

  test.describe('when its list does not load', () => {
    test.use({ expectedErrors: [SERVER_ERROR] })

    test('discover-2: picker and player show the failure; both retry only on request', async ({ page }) => {
      const recover = await failCall(page, listMicrogenres)
      let requests = 0
      page.on('request', (request) => {
        if (urlPattern(listMicrogenres).test(request.url())) requests += 1
      })
      await signIn(page)
      await expect(picker(page)).toContainText('The microgenres did not load.')
      await picker(page).getByRole('button', { name: 'Try again' }).click()
      await expect(picker(page)).toContainText('The microgenres did not load.')
      await page.keyboard.press('Escape')
      await expect(title(page)).toHaveText('Songs could not be loaded')
      await recover()
      expect(requests).toBe(2)
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(pad(page, 'BANGER')).toBeEnabled()
      expect(requests).toBe(3)
    })
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 664 } })

  test('screens-4, people-12, signin-12: a nav at the lower edge; the profile leads to the settings, and has Logout', async ({
    page,
  }) => {
    await signIn(page)
    await expect(sections(page).getByRole('button')).toHaveText(['Discover', 'Library', 'Community'])
    const nav = await sections(page).boundingBox()
    expect((nav?.y ?? 0) + (nav?.height ?? 0)).toBe(664)
    const profile = page.getByRole('button', { name: 'Your profile' })
    await profile.click()
    const dialog = page.getByRole('dialog', { name: 'Profile' })
    // At the foot of the screen, or above a video.
    const bottom = () => dialog.evaluate((element) => Math.round(element.getBoundingClientRect().bottom))
    await expect.poll(async () => [664, 464].includes(await bottom())).toBe(true)
    await dialog.getByRole('button', { name: 'Settings, sign-ins and data' }).click()
    await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible()
    await page.goto('/')
    await profile.click()
    await expect(dialog.getByRole('link', { name: 'Logout' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('banner').getByRole('link', { name: 'Logout' }).click()
    await expect(sections(page)).toBeHidden()
  })
})

test('screens-3, screens-9: hero, four cards and three steps; the buttons lead to /auth, and the privacy policy leads back', async ({
  page,
}) => {
  await page.goto('/')
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toHaveText('Discover Music Like Never Before')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Quick Rating',
    'Personal Library',
    'Microgenre Exploration',
    'Community Insights',
    'How It Works',
  ])
  await expect(page.getByRole('main').getByRole('listitem').getByRole('heading')).toHaveText([
    'Choose a microgenre',
    'Rate songs with keyboard shortcuts',
    'Build a library and export to playlists',
  ])
  for (const name of ['Get Started', 'Start Discovering Music']) {
    await page.getByRole('button', { name }).first().click()
    await expect(page).toHaveURL('/auth')
    await page.goBack()
  }
  await page.getByRole('link', { name: 'Privacy policy' }).click()
  await expect(title).toHaveText('Privacy policy')
  await page.getByRole('link', { name: 'Back to home' }).click()
  await expect(title).toHaveText('Discover Music Like Never Before')
})

/** The cover of a song, but not of one whose title merely ends with the same words. */
const sleeve = (page: Page, song: string) =>
  page
    .getByRole('list', { name: 'Your bangers' })
    .getByRole('button', { name: new RegExp(`^${literal(song)} by `) })

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

test('a new listener signs in, rates four songs with the arrow keys and finds the bangers', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Discover Music Like Never Before' })).toBeVisible()
  await page.getByRole('button', { name: 'Get Started' }).click()
  await page.getByLabel('E-mail').fill(` ${newEmail().toUpperCase()} `)
  await page.getByRole('button', { name: /magic link/i }).click()
  await page.getByRole('link', { name: /\/sign-in\/link/ }).click()
  await page.getByRole('button', { name: 'Skip for now' }).click()

  const title = page.getByRole('main').getByRole('heading', { level: 1 })
  const bangers: string[] = []
  for (let i = 0; i < 4; i++) {
    await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeEnabled()
    const song = (await title.textContent()) ?? ''
    const banger = i !== 0
    if (banger) bangers.push(song)
    await page.keyboard.press(banger ? 'ArrowRight' : 'ArrowLeft')
    await expect(title).not.toHaveText(song)
  }
  await expect(page.getByRole('button', { name: /^Bangers/ })).toHaveText(/^Bangers\s*3$/)

  await page.keyboard.press('2')
  for (const song of bangers) await expect(sleeve(page, song)).toBeVisible()
})
