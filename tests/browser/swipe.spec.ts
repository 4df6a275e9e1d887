import type { Page } from '@playwright/test'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { touch } from './clock.ts'
import { failCall, SERVER_ERROR } from './mockResponses.ts'
import {
  art,
  expect,
  openDiscover,
  pad,
  previewSongs,
  type TestSong,
  test,
  title,
  videoSongs,
  watchRatings,
} from './testSongs.ts'

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 664 } })

const record = (page: Page) => page.getByRole('main').locator('[aria-keyshortcuts=Space]')

const touchRecord = (page: Page) => touch(page, record(page))

/** Opens the player on a phone with three songs. Returns the ratings that it sends. */
async function open(page: Page, stock: (songs: TestSong[]) => Promise<unknown>) {
  await stock(previewSongs(3))
  const ratings = watchRatings(page)
  await page.addInitScript(() => {
    window.ticks = 0
    navigator.vibrate = () => {
      window.ticks++
      return true
    }
  })
  await openDiscover(page)
  await waitForArt(page)
  return ratings
}

const waitForArt = (page: Page) =>
  record(page).evaluate((art) => Promise.all(art.getAnimations().map(({ finished }) => finished)))
const shownAt = (page: Page) => record(page).evaluate((element) => element.getBoundingClientRect().x)
/** How much of the key is filled, 0 to 1. */
const filled = (page: Page, name: 'BANGER' | 'BUST') =>
  pad(page, name).evaluate((key) => {
    const tide = key.querySelector('.pad-tide')
    return (tide?.getBoundingClientRect().width ?? 0) / key.getBoundingClientRect().width
  })

test('discover-29: pulling the art right or left fills a key, ticks once, and rates', async ({
  page,
  stock,
}) => {
  const ratings = await open(page, stock)
  for (const [n, [name, other, side]] of [
    ['BANGER', 'BUST', 1] as const,
    ['BUST', 'BANGER', -1] as const,
  ].entries()) {
    const song = (await title(page).textContent()) ?? ''
    const place = await shownAt(page)
    const finger = await touchRecord(page)
    await finger.moveTo(side * finger.width * 0.2)
    expect(Math.sign((await shownAt(page)) - place)).toBe(side)
    expect(await filled(page, name)).toBeGreaterThan(0.4)
    expect(await filled(page, other)).toBe(0)
    expect(await page.evaluate(() => window.ticks)).toBe(n)
    await finger.moveTo(side * finger.width * 0.5)
    expect(await filled(page, name)).toBeCloseTo(1)
    expect(await page.evaluate(() => window.ticks)).toBe(n + 1)
    await finger.release()
    await expect(title(page)).not.toHaveText(song)
    await expect(pad(page, 'BANGER')).toBeEnabled()
    await waitForArt(page)
    expect(await filled(page, name)).toBe(0)
  }
  expect(ratings.map((each) => each.rating)).toEqual(['banger', 'bust'])
})

test('discover-29: below the threshold the art springs back; a tap still plays and pauses', async ({
  page,
  stock,
}) => {
  const ratings = await open(page, stock)
  const place = await shownAt(page)
  const finger = await touchRecord(page)
  await finger.moveTo(finger.width * 0.25)
  await finger.release()
  await expect.poll(() => shownAt(page)).toBe(place)
  await expect.poll(() => filled(page, 'BANGER')).toBe(0)
  await expect(art(page, 'Pause')).toBeVisible()
  await art(page, 'Pause').tap()
  await expect(art(page, 'Play')).toBeVisible()
  expect(ratings).toEqual([])
})

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('@long discover-29: the art stays, and the key fills', async ({ page, stock }) => {
    const ratings = await open(page, stock)
    const place = await shownAt(page)
    const finger = await touchRecord(page)
    await finger.moveTo(finger.width * 0.5)
    expect(await shownAt(page)).toBe(place)
    expect(await filled(page, 'BANGER')).toBeCloseTo(1)
    await finger.release()
    await expect.poll(() => ratings.map((each) => each.rating)).toEqual(['banger'])
  })
})

test.describe('a toast', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('@long screens-8: is dismissed by a swipe, and returns to its place after a short one', async ({
    page,
    stock,
  }) => {
    await open(page, stock)
    await failCall(page, rateAndAdvance)
    await pad(page, 'BANGER').tap()
    const toast = page.locator('[data-toast=error]')
    await expect(toast).toContainText('Failed to rate song. Please try again.')
    const place = await toast.boundingBox()
    const finger = await touch(page, toast)
    await finger.moveTo(40)
    await finger.release()
    expect(await toast.boundingBox()).toEqual(place)
    const again = await touch(page, toast)
    await again.moveTo(-140)
    await again.release()
    await expect(toast).toBeHidden()
  })
})

test('@long playback-5: without a keyboard the hints speak of fingers', async ({ page, stock }) => {
  await open(page, stock)
  await expect(page.getByText('Swipe the art right for banger, left for bust.').first()).toBeVisible()
  await expect(page.getByText('Click art to play/pause')).toBeHidden()
})

test('discover-29: two fingers on the art rate nothing', async ({ page, stock }) => {
  const ratings = await open(page, stock)
  const { x = 0, y = 0, width = 0, height = 0 } = (await record(page).boundingBox()) ?? {}
  const session = await page.context().newCDPSession(page)
  const fingers = (...offsets: number[]) =>
    offsets.map((offset, id) => ({ x: x + width / 2 + offset, y: y + height / 2, id }))
  const touches = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...offsets: number[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: fingers(...offsets) })
  for (const far of [60, 80]) {
    await touches('touchStart', 0)
    await touches('touchMove', -12)
    await touches('touchStart', -12, 10)
    for (let offset = 20; offset <= far; offset += 20) await touches('touchMove', -offset, offset)
    await touches('touchEnd', -far)
    await touches('touchMove', -far - 20)
    await touches('touchEnd')
  }
  await expect(pad(page, 'BUST')).toBeEnabled()
  expect(ratings).toEqual([])
})

test('discover-29: a phone that begins with a video says how to rate, until the first rating', async ({
  page,
  stock,
}) => {
  await stock(videoSongs(2))
  await openDiscover(page)
  const hint = page.getByText('Swipe the art to rate').filter({ visible: true })
  for (const [width, height] of [
    [320, 568],
    [375, 553],
    [844, 390],
    [390, 664],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(hint).toHaveCount(1)
    await expect(hint).toBeInViewport({ ratio: 1 })
  }
  await pad(page, 'BANGER').tap()
  await expect(hint).toHaveCount(0)
})

declare global {
  interface Window {
    ticks: number
  }
}
