import type { Page } from '@playwright/test'
import { checkAchievements } from '../../contract/achievements.ts'
import { deferSong, rateAndAdvance } from '../../contract/discovery.ts'
import { touch } from './clock.ts'
import { failCall, mockResponse, SERVER_ERROR, urlPattern } from './mockResponses.ts'
import { findScreenFaults } from './screenFaults.ts'
import { expect, openDiscover, pad, previewSongs, test, title, toast, watchRatings } from './testSongs.ts'

/* The first 'Not now' defers a song to the end of the pass; the second drops it (discover-43). */

/** Milliseconds (discover-43). */
const SECOND_PRESS = 500

const notNow = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Not now', exact: true }).and(page.locator(':visible'))

/** Rates or defers the song on screen. Returns the title of the next one, once that can be deferred, too. */
async function decideAndGetNext(page: Page, act: () => Promise<unknown>): Promise<string> {
  const before = (await title(page).textContent()) ?? ''
  await act()
  await expect(title(page)).not.toHaveText(before)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  // Until then a second press would count for the song before.
  await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), SECOND_PRESS)
  return (await title(page).textContent()) ?? ''
}

test.describe('to the end', () => {
  test.use({ expectedErrors: [/404 \(Not Found\).*next-song/] })

  test('discover-43: the button, arrow down and S defer the song to the end; the second time they drop it', async ({
    page,
    stock,
  }) => {
    await mockResponse(page, checkAchievements, [])
    await stock(previewSongs(4))
    const ratings = watchRatings(page)
    await openDiscover(page)
    const one = (await title(page).textContent()) ?? ''
    const two = await decideAndGetNext(page, () => notNow(page).click())
    await expect(page.getByRole('status').filter({ hasText: 'Not now' })).toHaveText(
      `Not now. Next: ${two} by The Stand-ins`,
    )
    const three = await decideAndGetNext(page, () => page.keyboard.press('ArrowDown'))
    const four = await decideAndGetNext(page, () => page.keyboard.press('s'))
    expect(new Set([one, two, three, four]).size).toBe(4)
    expect(ratings).toEqual([])
    expect(await decideAndGetNext(page, () => page.keyboard.press('ArrowRight'))).toBe(one)
    expect(await decideAndGetNext(page, () => page.keyboard.press('ArrowLeft'))).toBe(two)
    expect(await decideAndGetNext(page, () => page.keyboard.press('ArrowDown'))).toBe(three)
    await page.keyboard.press('s')
    await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
    expect(ratings.map(({ rating }) => rating)).toEqual(['banger', 'bust'])

    // Only a restart brings back a dropped song.
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
    await page.getByRole('button', { name: 'Restart This Microgenre' }).click()
    await expect(pad(page, 'BANGER')).toBeEnabled()
  })
})

test.describe('undo', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('discover-43, discover-44: a failed deferral keeps the song; undo reverts one, also the one that completed the microgenre', async ({
    page,
    stock,
  }) => {
    await stock(previewSongs(2))
    await openDiscover(page)
    const one = (await title(page).textContent()) ?? ''
    const restore = await failCall(page, deferSong)
    await page.keyboard.press('s')
    await expect(toast(page)).toContainText('Failed to put the song off. Please try again.')
    await expect(title(page)).toHaveText(one)
    await expect(pad(page, 'BANGER')).toBeEnabled()
    await restore()
    const two = await decideAndGetNext(page, () => page.keyboard.press('s'))
    expect(await decideAndGetNext(page, () => page.keyboard.press('u'))).toBe(one)
    await expect(toast(page)).toContainText('Not now undone')
    expect(await decideAndGetNext(page, () => page.keyboard.press('s'))).toBe(two)
    expect(await decideAndGetNext(page, () => page.keyboard.press('ArrowRight'))).toBe(one)
    await page.keyboard.press('s')
    await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(title(page)).toHaveText(one)
    await expect(pad(page, 'BANGER')).toBeEnabled()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
  })
})

test('@long discover-42: for a silent song Not now is the main action, at every size', async ({
  page,
  stock,
  app,
}) => {
  app.deezer.answer('nothing')
  await stock(previewSongs(2))
  await openDiscover(page)
  const ink = await page.locator('body').evaluate((body) => getComputedStyle(body).color)
  await expect(notNow(page)).toHaveCSS('background-color', ink)
  await expect(page.getByText(/play\/pause|Tap it/).filter({ visible: true })).toHaveCount(0)
  expect(await findScreenFaults(page)).toEqual({})
  const ratings = page.waitForRequest(urlPattern(rateAndAdvance))
  await decideAndGetNext(page, () => notNow(page).click())
  await page.keyboard.press('ArrowLeft')
  expect((await ratings).postDataJSON()).toMatchObject({ heard: null })
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 664 } })

  test('@long discover-43: swiping the art up defers the song; a short swipe springs back', async ({
    page,
    stock,
  }) => {
    await stock(previewSongs(3))
    const ratings = watchRatings(page)
    await openDiscover(page)
    const record = page.getByRole('main').locator('[aria-keyshortcuts=Space]')
    await record.evaluate((art) => Promise.all(art.getAnimations().map(({ finished }) => finished)))
    const song = (await title(page).textContent()) ?? ''
    const early = await touch(page, record)
    await early.moveTo(0, -20)
    await early.release()
    await expect(title(page)).toHaveText(song)
    await decideAndGetNext(page, async () => {
      const finger = await touch(page, record)
      await finger.moveTo(10, -150)
      await finger.release()
    })
    expect(ratings).toEqual([])
    await expect(notNow(page)).toBeVisible()
  })
})
