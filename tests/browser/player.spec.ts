import type { Locator, Page } from '@playwright/test'
import { checkAchievements } from '../../contract/achievements.ts'
import { getCurrentUser } from '../../contract/auth.ts'
import { getNextSong, rateAndAdvance } from '../../contract/discovery.ts'
import { removeRating } from '../../contract/library.ts'
import { getDailyStats } from '../../contract/profiles.ts'
import { closeWithEscape, FEW_FRAMES, run, runUntil, settle, stopClock } from './clock.ts'
import { test as plain, signIn, startSession } from './fixtures.ts'
import { failCall, holdResponse, mockResponse, urlPattern } from './mockResponses.ts'
import {
  art,
  expect,
  openDiscover,
  openPlaying,
  pad,
  previewSongs,
  test,
  title,
  toast,
  VIDEO_API,
  videoSongs,
  watchRatings,
} from './testSongs.ts'
import { recordToasts } from './toasts.ts'

const selectMicrogenre = (page: Page, microgenreId: string) =>
  page.evaluate(
    (id) => window.dispatchEvent(new CustomEvent('microgenre-selected', { detail: { microgenreId: id } })),
    microgenreId,
  )

async function box(locator: Locator) {
  const rectangle = await locator.boundingBox()
  if (!rectangle) throw new Error('It is not on the screen.')
  return rectangle
}

plain('@long discover-1: page loads begin with different microgenres of the list', async ({ page }) => {
  await startSession(page.context())
  const microgenreIds = new Set<string>()
  for (let n = 0; n < 12 && microgenreIds.size < 2; n++) {
    await page.goto('/')
    await expect(pad(page, 'BANGER')).toBeEnabled()
    microgenreIds.add(new URL(page.url()).searchParams.get('microgenre') ?? '')
  }
  expect(microgenreIds.size, 'one of twelve loads begins elsewhere').toBeGreaterThan(1)
  const microgenres = (await (await page.request.get('/api/microgenres')).json()) as { id: string }[]
  for (const id of microgenreIds) expect(microgenres.map((microgenre) => microgenre.id)).toContain(id)
})

test('discover-2, discover-3, playback-2, discover-5: the picker names and describes microgenres; choosing one closes it and plays its first song', async ({
  page,
  stock,
}) => {
  const one = await stock([{ title: 'From one' }])
  await signIn(page)
  await expect(title(page)).toHaveText('From one')
  // Missing covers are drawn, so no picture can fail to load.
  await expect(page.getByRole('main').getByRole('presentation')).toHaveCount(0)
  const other = await stock([{ title: 'From the other' }])
  await page.getByRole('button', { name: `Currently listening to ${one.name}` }).click()
  const picker = page.getByRole('dialog', { name: 'Discover Your Sound' })
  for (const { name } of [one, other])
    await expect(picker.getByRole('button', { name })).toContainText('Songs of a test.')
  const nextRequest = page.waitForRequest((request) =>
    request.url().includes(getNextSong.path.replace(':id', other.id)),
  )
  await picker.getByRole('button', { name: other.name }).click()
  await nextRequest
  await expect(picker).toBeHidden()
  await expect(title(page)).toHaveText('From the other')
  await expect(page.getByRole('button', { name: `Currently listening to ${other.name}` })).toBeVisible()
})

test('playback-1, discover-7, playback-2: art and Space each toggle playback once, as the hints say', async ({
  page,
  stock,
}) => {
  await stock(videoSongs(1))
  const release = await holdResponse(page, VIDEO_API)
  await openDiscover(page, { until: 'domcontentloaded' })
  await expect(art(page, 'Loading')).toBeVisible()
  release()
  await expect(art(page, 'Pause')).toBeVisible()
  for (const hint of ['←Bust', '→Banger', 'Spaceplay/pause'])
    await expect(page.getByText(hint, { exact: true })).toBeVisible()
  await expect(page.getByText('Click art to play/pause').filter({ visible: true })).toHaveCount(1)
  await art(page, 'Pause').click()
  await expect(art(page, 'Play')).toBeVisible()
  // The art has the focus and Space is a shortcut: together they toggle once (screens-6).
  await page.keyboard.press('Space')
  await expect(art(page, 'Pause')).toBeVisible()
  await art(page, 'Pause').blur()
  await page.keyboard.press('Space')
  await expect(art(page, 'Play')).toBeVisible()
  await page.keyboard.press('Space')
  await expect(art(page, 'Pause')).toBeVisible()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

test('discover-11, discover-10, discover-12: 800 ms of fire and swipe, then 400 ms to the next song', async ({
  page,
  stock,
}) => {
  await page.clock.install()
  await stock(videoSongs(3))
  await openPlaying(page)
  const song = (await title(page).textContent()) ?? ''
  const record = await box(art(page, 'Pause'))
  const fires = page.getByText('🔥', { exact: true })
  await stopClock(page)
  // From here only the clock matters.
  const rateResponse = page.waitForResponse(urlPattern(rateAndAdvance))
  await page.keyboard.press('ArrowRight')
  await rateResponse
  await run(page, 100)
  await expect(fires).toHaveCount(32)
  expect((await box(fires.first().locator('..'))).width).toBe(1440)
  await expect.poll(async () => (await box(art(page, 'Play'))).x).toBeGreaterThan(record.x + 300)
  await run(page, 699)
  await expect(title(page)).toHaveText(song)
  await expect(fires).toHaveCount(32)
  for (const name of ['BANGER', 'BUST'] as const) await expect(pad(page, name)).toBeDisabled()

  await run(page, 1)
  await expect(title(page)).toHaveText('Loading next song...')
  await expect(fires).toHaveCount(0)
  await settle(page)
  await run(page, 399)
  await settle(page)
  await expect(title(page)).toHaveText('Loading next song...')
  for (const name of ['BANGER', 'BUST'] as const) await expect(pad(page, name)).toBeDisabled()
  await run(page, 1)
  await run(page, FEW_FRAMES)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await expect(title(page)).not.toHaveText(song)

  await page.keyboard.press('ArrowLeft')
  await run(page, 100)
  await expect(page.getByText('👎', { exact: true })).toHaveCount(26)
  await expect.poll(async () => (await box(art(page, 'Play'))).x).toBeLessThan(record.x - 40)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('@long discover-16, discover-42: very many ratings today leave room for Undo and Not now', async ({
    page,
    stock,
  }) => {
    await page.route(`**${getDailyStats.path}?*`, (route) =>
      route.fulfill({ json: { dailyBangers: 1555, dailyRatings: 18_832 } }),
    )
    await stock(previewSongs(3))
    await signIn(page)
    for (const width of [320, 360, 390, 414]) {
      await page.setViewportSize({ width, height: 664 })
      await expect(page.getByText('Bangers 1555')).toBeVisible()
      const figures = await page.getByText('Rated 18832').locator('..').boundingBox()
      expect(figures?.height, `at ${width} px`).toBeLessThan(24)
      const box = await page.getByRole('button', { name: 'Not now' }).filter({ visible: true }).boundingBox()
      expect((box?.x ?? width) + (box?.width ?? 0), `at ${width} px`).toBeLessThanOrEqual(width)
    }
  })

  test('discover-6, discover-16, discover-17: the pads rate, and the strip shows what was rated today, and updates', async ({
    page,
    stock,
  }) => {
    await stock(previewSongs(3))
    await signIn(page)
    const tz = new URLSearchParams({ tz: 'Europe/Berlin' })
    const strip = page.getByText('today', { exact: true }).locator('..')
    const expectStrip = async (bangers: number, rated: number) => {
      await expect(strip).toHaveText(new RegExp(`^Bangers ${bangers}\\s*Rated ${rated}\\s*today$`))
      const stats = await (await page.request.get(`${getDailyStats.path}?${tz}`)).json()
      expect(stats).toMatchObject({ dailyBangers: bangers, dailyRatings: rated })
    }
    await expectStrip(0, 0)
    await pad(page, 'BANGER').click()
    await expectStrip(1, 1)
    await expect(pad(page, 'BUST')).toBeEnabled()
    await pad(page, 'BUST').click()
    await expectStrip(1, 2)
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(page.getByText('today', { exact: true })).toHaveCount(0)
  })
})

/** Three ways to reach midnight: waiting, a laptop that sleeps, and a page whose clock was set back. */
for (const [how, pass] of Object.entries({
  'while the page is open': (page: Page) => run(page, 301_000, 10_000),
  'while the page sleeps': (page: Page) => page.clock.fastForward('08:00:00'),
  'after the clock was set back': async (page: Page) => {
    await page.evaluate(() => {
      const { now } = Date
      Date.now = () => now() - 7_200_000
    })
    await run(page, 301_000, 10_000)
  },
}))
  test(`discover-17: the figures begin anew at midnight, ${how}`, async ({ page, stock }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.clock.install({ time: new Date('2031-01-01T12:00:00Z') })
    const answers = [
      { dailyBangers: 5, dailyRatings: 9, secondsLeft: 600 },
      { dailyBangers: 0, dailyRatings: 0, secondsLeft: 86_400 },
    ]
    await page.route(`**${getDailyStats.path}?*`, (route) => route.fulfill({ json: answers.shift() }))
    await stock(previewSongs(1))
    await openDiscover(page)
    await expect(page.getByText('Rated 9')).toBeVisible()
    await stopClock(page)
    await run(page, 300_000, 10_000)
    await expect(page.getByText('Rated 9')).toBeVisible()
    await pass(page)
    await expect.poll(() => answers.length).toBe(0)
    await run(page, 1000)
    await expect(page.getByText('Rated 0')).toBeVisible()
  })

test('@long discover-5: a response that arrives after a switch does not change the new microgenre, and is cached', async ({
  page,
  stock,
}) => {
  const one = await stock([{ title: 'The only one' }])
  await signIn(page)
  await expect(title(page)).toHaveText('The only one')
  const other = await stock([{ title: 'Elsewhere' }])
  // The page's list has only the first.
  await page.getByRole('button', { name: /^Currently listening/ }).click()
  const picker = page.getByRole('dialog')
  await expect(picker.getByRole('button', { name: other.name })).toBeVisible()
  await closeWithEscape(picker)
  const release = await holdResponse(page, rateAndAdvance)
  await page.keyboard.press('ArrowRight')
  await selectMicrogenre(page, other.id)
  await expect(title(page)).toHaveText('Elsewhere')
  const rateResponse = page.waitForResponse(urlPattern(rateAndAdvance))
  release()
  expect(await (await rateResponse).json()).toMatchObject({ completed: true, nextSong: null })
  await expect(page.getByRole('button', { name: /^Bangers\s*1$/ })).toBeVisible()
  await expect(title(page)).toHaveText('Elsewhere')
  await expect(pad(page, 'BANGER')).toBeEnabled()
  const next = await page.request.get(getNextSong.path.replace(':id', one.id))
  expect(next.status()).toBe(404)
})

test.describe('when the first song does not load', () => {
  test.use({ expectedErrors: [/status of (500|404)/] })

  test('discover-24, discover-30: completion, for a failure and for a microgenre without songs', async ({
    page,
    stock,
  }) => {
    await stock(previewSongs(1))
    const recover = await failCall(page, getNextSong)
    await signIn(page)
    await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
    const failure = page.getByRole('alert')
    await expect(failure).toContainText('could not be loaded')
    // Small, below what happened.
    const heading = await title(page).boundingBox()
    expect(heading?.y).toBeGreaterThan((await failure.boundingBox())?.y ?? 0)
    expect(heading?.height).toBeLessThan(30)
    await expect(page.getByText(/Great work|every song/)).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Your ratings' })).toHaveCount(0)
    await recover()
    const ink = await page.locator('body').evaluate((body) => getComputedStyle(body).color)
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCSS('background-color', ink)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(pad(page, 'BANGER')).toBeEnabled()
    const empty = await stock([])
    await page.reload()
    await expect(pad(page, 'BANGER')).toBeEnabled()
    await selectMicrogenre(page, empty.id)
    await expect(page.getByText(`You've rated every song in ${empty.name}`)).toBeVisible()
  })

  test('discover-13: a failed rating brings the song back, and can be retried', async ({ page, stock }) => {
    await stock(previewSongs(2))
    await openDiscover(page)
    await expect(art(page, 'Pause')).toBeVisible()
    const song = (await title(page).textContent()) ?? ''
    const recover = await failCall(page, rateAndAdvance)
    const toastTexts = await recordToasts(page)
    await page.keyboard.press('ArrowRight')
    await expect.poll(toastTexts).toContain('ErrorFailed to rate song. Please try again.')
    await expect(pad(page, 'BANGER')).toBeEnabled()
    await expect(title(page)).toHaveText(song)
    // The sound goes on.
    await expect(art(page, 'Pause')).toBeVisible()
    await recover()
    await page.keyboard.press('ArrowRight')
    await expect(title(page)).not.toHaveText(song)
    await expect(page.getByRole('button', { name: /^Bangers\s*1$/ })).toBeVisible()
  })
})

test('@long calls-12, discover-13: on a dead connection a rating is sent twice, and fails after twelve seconds', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(2))
  await openDiscover(page)
  const song = (await title(page).textContent()) ?? ''
  const toastTexts = await recordToasts(page)
  const ratings = watchRatings(page)
  const begun = Date.now()
  const release = await holdResponse(page, rateAndAdvance)
  await page.keyboard.press('ArrowRight')
  await expect.poll(toastTexts, { timeout: 60_000 }).toContain('ErrorFailed to rate song. Please try again.')
  expect(Date.now() - begun).toBeGreaterThan(11_000)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await expect(title(page)).toHaveText(song)
  expect(ratings).toHaveLength(2)
  release()
  await page.keyboard.press('ArrowRight')
  await expect(title(page)).not.toHaveText(song)

  await holdResponse(page, getCurrentUser)
  await page.reload()
  await expect(title(page)).toHaveText('No answer from the server', { timeout: 60_000 })
})

/** A picture that Chromium can decode. */
const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('discover-21, discover-19: with one song left the page requests more, each comes once, and covers are preloaded', async ({
  page,
  stock,
}) => {
  const art = (n: number) => `https://covers.test/${n}.png`
  const covers: string[] = []
  await page.route('https://covers.test/**', (route) => {
    covers.push(route.request().url())
    return route.fulfill({ contentType: 'image/png', body: ONE_PIXEL })
  })
  const { songs } = await stock(previewSongs(9).map((song, n) => ({ ...song, albumArt: art(n) })))
  const nextRequest: number[] = []
  const ratings = watchRatings(page)
  page.on('request', (request) => {
    if (request.url().includes('prefetch=true')) nextRequest.push(ratings.length)
  })
  await signIn(page)
  // All queued covers are loaded before the first rating.
  await expect.poll(() => new Set(covers).size).toBe(5)
  expect(ratings).toEqual([])
  for (let n = 0; n < songs.length; n++) {
    await expect(pad(page, 'BANGER')).toBeEnabled()
    // Four are queued with the first song. At the fourth one remains, so five are requested; at the seventh the rest.
    await expect.poll(() => new Set(covers).size).toBe([5, 8, 9][Math.min(2, Math.floor(n / 3))] ?? 0)
    await page.keyboard.press(n % 2 ? 'ArrowLeft' : 'ArrowRight')
    await expect(
      pad(page, 'BANGER').or(page.getByRole('heading', { name: 'Microgenre Complete!' })),
    ).toBeVisible()
    await expect.poll(() => ratings.length).toBe(n + 1)
  }
  await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
  expect(new Set(ratings.map(({ songId }) => songId)).size).toBe(songs.length)
  expect(ratings.map(({ songId }) => songId).sort()).toEqual(songs.map(({ id }) => id).sort())
  expect(nextRequest).toEqual([0, 3, 6])
  // The row of sleeves may load the covers again, and has no route to them once the test is over.
  await page.waitForFunction(() => [...document.images].every((image) => image.complete))
})

test.describe('when a cover does not load', () => {
  test.use({ expectedErrors: [/ERR_|status of 404|Mixed Content/] })

  test('@long playback-18: a cover over http is requested over https, then drawn', async ({
    page,
    stock,
  }) => {
    const nextRequest: string[] = []
    await page.route(/\/\/covers\.test\//, (route) => {
      nextRequest.push(route.request().url())
      return route.abort()
    })
    await stock([{ albumArt: 'http://covers.test/a.jpg' }])
    await signIn(page)
    await expect
      .poll(() => [...new Set(nextRequest)])
      .toEqual(['http://covers.test/a.jpg', 'https://covers.test/a.jpg'])
    await expect(page.getByRole('main').getByRole('presentation')).toHaveCount(0)
    // The record and the preload may both ask before the first failure.
    expect(nextRequest.length).toBeLessThanOrEqual(4)
  })
})

test('the last rating can be undone for ten seconds, by button and by U', async ({ page, stock }) => {
  await page.clock.install()
  await stock(previewSongs(3))
  // Otherwise their toast would come first.
  await mockResponse(page, checkAchievements, [])
  await openDiscover(page)
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await expect(undo).toBeHidden()
  const first = (await title(page).textContent()) ?? ''
  await stopClock(page)
  const rate = async () => {
    const song = (await title(page).textContent()) ?? ''
    await page.keyboard.press('ArrowRight')
    await expect(pad(page, 'BANGER')).toBeDisabled()
    await runUntil(page, () => pad(page, 'BANGER').isEnabled(), { every: 50 })
    await expect(title(page)).not.toHaveText(song)
  }
  await rate()
  const removed = page.waitForRequest(urlPattern(removeRating))
  await page.keyboard.press('u')
  expect(new URL((await removed).url()).searchParams.get('undo')).toBe('true')
  await expect(title(page)).toHaveText(first)
  await expect(toast(page)).toContainText('Rating undone')
  await expect(page.getByRole('status').filter({ hasText: 'undone' })).toHaveCount(1)
  await expect(undo).toBeHidden()

  await rate()
  await undo.click()
  await expect(title(page)).toHaveText(first)
  await rate()
  await run(page, 8000, 1000)
  await expect(undo).toBeVisible()
  await run(page, 2000, 1000)
  await expect(undo).toBeHidden()
  await page.keyboard.press('u')
  await expect(title(page)).not.toHaveText(first)
})

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('discover-12, discover-8: while a rating is being sent, nothing moves and it cannot be sent again; then it is announced', async ({
    page,
    stock,
  }) => {
    const ratings = watchRatings(page)
    await stock(videoSongs(2))
    await openPlaying(page)
    const record = page.getByRole('main').getByRole('button', { name: /^(Play|Pause|Loading)$/ })
    const place = await box(record)
    const release = await holdResponse(page, rateAndAdvance)
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
    // A key held down repeats.
    for (let n = 0; n < 20; n++) await page.keyboard.down('ArrowLeft')
    for (const name of ['BANGER', 'BUST'] as const) await expect(pad(page, name)).toBeDisabled()
    expect(await box(record)).toEqual(place)
    await expect(title(page)).toHaveText('Loading next song...')
    await expect(page.getByText('Please wait')).toBeVisible()
    await expect(page.getByText('🔥')).toHaveCount(0)
    release()
    await expect(pad(page, 'BANGER')).toBeEnabled()
    await page.keyboard.down('ArrowLeft')
    await page.keyboard.up('ArrowLeft')
    expect(ratings).toHaveLength(1)
    const song = await title(page).textContent()
    const toastTexts = page.getByRole('status').filter({ hasText: 'Rated' })
    await expect(toastTexts).toHaveText(
      `Rated banger. You are the first to rate this. Next: ${song} by The Stand-ins`,
    )
  })
})

test('screens-6, WCAG 2.1.4: keys with modifiers or in a dialog do not rate; a switch turns all off, and is remembered', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(2))
  const ratings = watchRatings(page)
  await openDiscover(page)
  for (const keys of ['Control+ArrowRight', 'Alt+ArrowDown', 'Meta+ArrowLeft'])
    await page.keyboard.press(keys)
  await page.getByRole('button', { name: 'Thoughts?' }).click()
  const message = page.getByLabel('Message')
  await message.fill('ab')
  for (const key of ['ArrowLeft', 'Space', 'ArrowRight', 'u']) await message.press(key)
  await expect(message).toHaveValue('a bu')
  await page.getByRole('button', { name: 'Close' }).focus()
  for (const key of ['ArrowRight', '2', 'Escape']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(pad(page, 'BANGER')).toBeEnabled()
  expect(ratings).toEqual([])

  await page.keyboard.press('?')
  const overlay = page.getByRole('dialog', { name: 'Keyboard Shortcuts' })
  for (const words of ['Bust', 'Banger', 'Play or pause', 'Discover', 'My Library', 'Community'])
    await expect(overlay.getByText(words, { exact: true })).toBeVisible()
  const single = overlay.getByRole('switch', { name: 'Single-key shortcuts' })
  await expect(single).toBeChecked()
  await single.click()
  await expect(single).not.toBeChecked()
  await closeWithEscape(overlay)

  await page.reload()
  await expect(pad(page, 'BANGER')).toBeEnabled()
  for (const key of ['ArrowRight', 'ArrowLeft', '2', '?', 'u']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  expect(ratings).toEqual([])

  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await single.click()
  await closeWithEscape(overlay)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => ratings).toHaveLength(1)
})
