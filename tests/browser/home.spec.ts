import type { Page } from '@playwright/test'
import { checkAchievements } from '../../contract/achievements.ts'
import { getCurrentUser, logout } from '../../contract/auth.ts'
import { listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import type { Response } from '../../contract/endpoint.ts'
import { listRatings, type RatedSong, removeRating } from '../../contract/library.ts'
import { getMyStats } from '../../contract/profiles.ts'
import type { Song } from '../../contract/shapes.ts'
import { pathAt } from '../harness/subPath.ts'
import { addressOf, answer, fail, SERVER_ERROR } from './answers.ts'
import { expect, signIn, startSession, test } from './fixtures.ts'
import { hearToasts } from './toasts.ts'

type Genres = Response<typeof listMicrogenres>

const banger = (page: Page) => page.getByRole('button', { name: 'BANGER', exact: true })
const bust = (page: Page) => page.getByRole('button', { name: 'BUST', exact: true })
const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
const counter = (page: Page) => page.getByRole('button', { name: /Bangers$/ })
const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true })
const genre = (page: Page) => page.getByRole('button', { name: /^Currently listening to / })
const sections = (page: Page) => page.getByRole('navigation', { name: 'Sections' })
const picker = (page: Page) => page.getByRole('dialog', { name: 'Discover Your Sound' })

const genresOf = async (page: Page) => (await (await page.request.get(listMicrogenres.path)).json()) as Genres

const ratingsOf = async (page: Page) =>
  (await (await page.request.get(listRatings.path)).json()) as RatedSong[]

/** Dispatches the event as the community section and the questionnaire do. */
const raise = (page: Page, detail: unknown) =>
  page.evaluate((chosen) => {
    window.dispatchEvent(new CustomEvent('microgenre-selected', { detail: chosen }))
  }, detail)

test.describe('sections', () => {
  test('screens-4: sections switch without a navigation', async ({ page }) => {
    await signIn(page)
    await expect(banger(page)).toBeEnabled()
    const song = await heading(page).textContent()
    const documents: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) documents.push(request.url())
    })
    for (const [name, title] of [
      ['My Library', 'My Library'],
      ['Community', 'Community Insights'],
      ['Discover', song ?? ''],
    ] as const) {
      const button = sections(page).getByRole('button', { name })
      await button.click()
      await expect(heading(page)).toHaveText(title)
      await expect(button).toHaveAttribute('aria-current', 'page')
      expect(pathAt(page.url())).toBe('/')
    }
    expect(documents).toEqual([])
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 } })

    test('@long screens-4: a bottom nav with Discover, Library and Community', async ({ page }) => {
      await signIn(page)
      const buttons = sections(page).getByRole('button')
      await expect(buttons).toHaveText(['Discover', 'Library', 'Community'])
      const box = await sections(page).boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844)
      await expect(banger(page)).toBeEnabled()
      await buttons.nth(1).click()
      await expect(heading(page)).toHaveText('My Library')
      await buttons.nth(2).click()
      await expect(heading(page)).toHaveText('Community Insights')
      await buttons.nth(0).click()
      await expect(banger(page)).toBeVisible()
    })
  })
})

test.describe('the header', () => {
  test('screens-5, library-8: the counter shows totalBangers, updates after a banger, and links to the profile', async ({
    page,
  }) => {
    await signIn(page, { rated: { banger: 2, bust: 1 } })
    const { totalBangers } = await (await page.request.get(getMyStats.path)).json()
    expect(totalBangers).toBe(2)
    await expect(counter(page)).toHaveText(/^2\s*Bangers$/)
    await banger(page).click()
    await expect(counter(page)).toHaveText(/^3\s*Bangers$/)
    await expect(bust(page)).toBeEnabled()
    const [rated] = await Promise.all([page.waitForResponse(addressOf(rateAndAdvance)), bust(page).click()])
    expect((await rated.json()).totals).toEqual({ totalBangers: 3, totalRatings: 5 })
    await expect(counter(page)).toHaveText(/^3\s*Bangers$/)
    await counter(page).click()
    await expect(page).toHaveURL('/profile')
    await expect(page.getByRole('button', { name: 'Back to Discovery' })).toBeVisible()
  })

  test('screens-5, screens-7: the picture, or a letter without one, opens the own profile', async ({
    page,
    app,
  }) => {
    const email = await signIn(page)
    const profile = page.getByRole('button', { name: 'Your profile' })
    const picture = profile.getByRole('presentation', { includeHidden: true })
    await expect(profile).toHaveText('L')
    await expect(picture).toHaveCount(0)

    // Should the picture not load, the letter would show.
    const dot = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
    await app.db`update users set profile_image_url = ${dot} where email = ${email}`
    await page.reload()
    await expect(picture).toHaveAttribute('src', dot)
    await expect(profile).toHaveText('')
    await profile.click()
    await expect(page.getByRole('dialog', { name: 'Profile' })).toContainText(email)
  })

  test.describe('while the page has requests open', () => {
    test.use({ expectedErrors: [/401 \(Unauthorized\)/] })

    test('signin-12: Logout is a navigation, and ends the session', async ({ page }) => {
      await signIn(page)
      const [request] = await Promise.all([
        page.waitForRequest(addressOf(logout)),
        page.getByRole('link', { name: 'Logout' }).click(),
      ])
      expect(request.isNavigationRequest()).toBe(true)
      expect(request.frame()).toBe(page.mainFrame())
      await expect(page).toHaveURL('/')
      await expect(heading(page)).toHaveText('Discover Music Like Never Before')
      expect((await page.request.get(getCurrentUser.path)).status()).toBe(401)
    })
  })
})

test.describe('the microgenre', () => {
  test('discover-1: the microgenre is chosen once, not with every section', async ({ page }) => {
    await signIn(page)
    await expect(banger(page)).toBeEnabled()
    const before = await genre(page).textContent()
    const song = await heading(page).textContent()
    const asked: string[] = []
    page.on('request', (request) => {
      // The queue may be refilled meanwhile.
      if (request.url().includes('/next-song?_t')) asked.push(request.url())
    })
    await page.keyboard.press('2')
    await page.keyboard.press('3')
    await page.keyboard.press('1')
    await expect(genre(page)).toHaveText(before ?? '')
    await expect(heading(page)).toHaveText(song ?? '')
    expect(asked).toEqual([])
  })

  test('@long discover-1: without microgenres the picker opens, and says so', async ({ page }) => {
    await answer(page, listMicrogenres, [])
    await signIn(page)
    await expect(picker(page)).toContainText('There are no microgenres yet.')
  })

  test.describe('when its list does not load', () => {
    test.use({ expectedErrors: [SERVER_ERROR] })

    test('discover-2: picker and player show the failure; both retry only on request', async ({ page }) => {
      const recover = await fail(page, listMicrogenres)
      let asked = 0
      page.on('request', (request) => {
        if (addressOf(listMicrogenres).test(request.url())) asked += 1
      })
      await signIn(page)
      await expect(picker(page)).toContainText('The microgenres did not load.')
      await picker(page).getByRole('button', { name: 'Try again' }).click()
      await expect(picker(page)).toContainText('The microgenres did not load.')
      await page.keyboard.press('Escape')
      await expect(heading(page)).toHaveText('Songs could not be loaded')
      await recover()
      expect(asked).toBe(2)
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(banger(page)).toBeEnabled()
      expect(asked).toBe(3)
    })
  })
})

test.describe('undo', () => {
  /** Signs in, rates the first song as a banger and waits for the second. Returns the first one's title. */
  async function rateFirst(page: Page): Promise<string> {
    // Otherwise their toast would come first.
    await answer(page, checkAchievements, [])
    await signIn(page)
    await expect(banger(page)).toBeEnabled()
    const first = (await heading(page).textContent()) ?? ''
    await expect(undo(page)).toBeHidden()
    await page.keyboard.press('ArrowRight')
    await expect(heading(page)).not.toHaveText(first)
    await expect(banger(page)).toBeEnabled()
    return first
  }

  test('key U removes the rating and brings the song back', async ({ page }) => {
    const first = await rateFirst(page)
    const second = (await heading(page).textContent()) ?? ''
    await expect(counter(page)).toHaveText(/^1\s*Bangers$/)
    const said = await hearToasts(page)
    const [request] = await Promise.all([
      page.waitForRequest(addressOf(removeRating)),
      page.keyboard.press('u'),
    ])
    expect(Object.fromEntries(new URL(request.url()).searchParams)).toEqual({
      undo: 'true',
      ratedAt: expect.stringMatching(/Z$/),
    })
    await expect(heading(page)).toHaveText(first)
    await expect.poll(said).toContain('Rating undone')
    await expect(counter(page)).toHaveText(/^0\s*Bangers$/)
    await expect(undo(page)).toBeHidden()
    expect(await ratingsOf(page)).toEqual([])

    await page.keyboard.press('ArrowLeft')
    await expect(heading(page)).toHaveText(second)
    expect((await ratingsOf(page)).map(({ rating, song }) => [song.title, rating])).toEqual([[first, 'bust']])
  })

  test('@long the button works, also when the microgenre is complete', async ({ page }) => {
    const email = await startSession(page.context())
    // Other tests leave microgenres without songs.
    const withSongs = (await genresOf(page)).filter(({ songCount }) => songCount > 0)
    const smallest = withSongs.toSorted((a, b) => a.songCount - b.songCount)[0]
    const last = await rateAllButOne(page, smallest?.id ?? '')
    expect(last).not.toBe('')
    await signIn(page, { email })
    await expect(banger(page)).toBeEnabled()
    await raise(page, { microgenreId: smallest?.id })
    await expect(heading(page)).toHaveText(last)
    await banger(page).click()
    await expect(heading(page)).toHaveText('Microgenre Complete!')
    await undo(page).click()
    await expect(heading(page)).toHaveText(last)
    await expect(banger(page)).toBeEnabled()
    expect(await ratingsOf(page)).toHaveLength((smallest?.songCount ?? 0) - 1)
  })
})

/** Rates through the API; returns the title of the one song that is left. */
async function rateAllButOne(page: Page, microgenreId: string): Promise<string> {
  let song = await nextSong(page, microgenreId)
  const total = (await genresOf(page)).find(({ id }) => id === microgenreId)?.songCount ?? 0
  for (let i = 1; i < total; i++) {
    const data = { microgenreId, songId: song.id, rating: 'bust' }
    song = (await (await page.request.post(rateAndAdvance.path, { data })).json()).nextSong
  }
  return song.title
}

async function nextSong(page: Page, microgenreId: string): Promise<Song> {
  return (await page.request.get(`/api/microgenres/${microgenreId}/next-song`)).json()
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 664 } })

  test('signin-12: the profile has Logout, for which the header has no room', async ({ page }) => {
    await signIn(page)
    await page.getByRole('button', { name: 'Your profile' }).click()
    await page.getByRole('dialog', { name: 'Profile' }).getByRole('link', { name: 'Logout' }).click()
    await expect(page.getByRole('navigation', { name: 'Sections' })).toBeHidden()
  })

  test('@long people-12: the profile leads to the settings, and reaches the lower edge', async ({ page }) => {
    await signIn(page)
    await page.getByRole('button', { name: 'Your profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Profile' })
    await expect
      .poll(() => dialog.evaluate((element) => Math.round(element.getBoundingClientRect().bottom)))
      .toBe(664)
    await dialog.getByRole('button', { name: 'Settings, sign-ins and data' }).click()
    await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible()
  })
})
