import type { Locator, Page } from '@playwright/test'
import { checkAchievements } from '../../contract/achievements.ts'
import {
  getNextSong,
  listNextMicrogenres,
  NEXT_MICROGENRES_LIMIT,
  rateAndAdvance,
  restartMicrogenre,
} from '../../contract/discovery.ts'
import type { RecommendedMicrogenre, Song } from '../../contract/shapes.ts'
import { pathAt } from '../harness/tier.ts'
import { closeWithEscape, runUntil, stopClock } from './clock.ts'
import { startSession } from './fixtures.ts'
import { failCall, mockResponse, SERVER_ERROR } from './mockResponses.ts'
import { expect, openDiscover, pad, previewSongs, type TestMicrogenre, test, title } from './testSongs.ts'
import { recordToasts } from './toasts.ts'

test.use({ expectedErrors: [SERVER_ERROR] })

const heading = (page: Page) => page.getByRole('heading', { name: 'Microgenre Complete!', exact: true })
const restart = (page: Page) => page.getByRole('button', { name: /^Restart/ })

/** Opens the main screen for a listener who has rated all songs but one, and rates that one. */
async function complete(page: Page, { id }: TestMicrogenre): Promise<void> {
  const email = await startSession(page.context())
  for (;;) {
    const prefetch = await page.request.get(`${getNextSong.path.replace(':id', id)}?prefetch=true`)
    const { songs } = (await prefetch.json()) as { songs: Song[] }
    if (songs.length < 2) break
    const data = { microgenreId: id, songId: songs[0]?.id, rating: 'bust' }
    await page.request.post(rateAndAdvance.path, { data })
  }
  // Otherwise their toast would come first.
  await mockResponse(page, checkAchievements, [])
  await openDiscover(page, { email })
  await page.keyboard.press('ArrowRight')
  await expect(heading(page)).toBeVisible()
}

const suggestion = (n: number): RecommendedMicrogenre => ({
  id: String(9000 + n),
  name: `Suggestion ${n}`,
  description: 'Near in taste.',
  color: '#4ecdc4',
  bangerCount: 0,
  songCount: 10 + n,
  reason: `Listeners who banged in Number ${n} bang in Suggestion ${n}`,
})

test('discover-23, discover-25, discover-27: the completion view and its texts; restart brings back every song, at the second try', async ({
  page,
  stock,
}) => {
  const genre = await stock(previewSongs(2))
  await complete(page, genre)
  await expect(page.getByText(`You've rated every song in ${genre.name}`, { exact: true })).toBeVisible()
  await expect(
    page.getByText('Great work exploring this microgenre! Check your stats or try a new one.', {
      exact: true,
    }),
  ).toBeVisible()
  const groundOf = (one: Locator) => one.evaluate((element) => getComputedStyle(element).backgroundColor)
  const header = page.getByRole('banner')
  const room = await groundOf(page.locator('.complete-room'))
  expect(await groundOf(header)).toBe(room)
  expect(room).not.toBe(await groundOf(page.locator('body')))
  await page.getByRole('button', { name: 'Explore New Microgenres', exact: true }).click()
  await closeWithEscape(page.getByRole('dialog', { name: 'Discover Your Sound' }))

  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(`/microgenres/${genre.id}/`)) {
      requests.push(`${request.method()} ${pathAt(request.url()).split('/').at(-1)}`)
    }
  })
  const toastTexts = await recordToasts(page)
  const recover = await failCall(page, restartMicrogenre)
  const restart = page.getByRole('button', { name: 'Restart This Microgenre', exact: true })
  await restart.click()
  await expect.poll(toastTexts).toContain('ErrorFailed to restart microgenre. Please try again.')
  await expect(heading(page)).toBeVisible()
  await recover()
  requests.length = 0
  await restart.click()
  await expect.poll(toastTexts).toContain(`Microgenre RestartedReady to rediscover ${genre.name}!`)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  expect(requests.slice(0, 2)).toEqual(['DELETE progress', 'GET next-song'])
  const first = (await title(page).textContent()) ?? ''
  await page.keyboard.press('ArrowLeft')
  await expect(title(page)).not.toHaveText(first)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  expect([first, await title(page).textContent()].sort()).toEqual(['Song 1', 'Song 2'])
  await page.keyboard.press('ArrowLeft')
  await expect(heading(page)).toBeVisible()
})

test('discover-30: the view has all bangers, playable sleeves and a link to the stats', async ({
  page,
  stock,
}) => {
  const genre = await stock(previewSongs(20))
  await complete(page, genre)
  const ratings = page.getByRole('region', { name: 'Your ratings' })
  await expect(ratings.getByText('1 banger of 20')).toBeVisible()
  await expect(ratings.getByText(/^Bust: Song/)).toHaveCount(19)
  const sleeve = ratings.getByRole('button', { name: /by The Stand-ins$/ })
  const animation = () => sleeve.locator('..').evaluate((one) => getComputedStyle(one).animationName)
  expect(await animation()).toBe('sleeve-lands')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await animation()).toBe('none')

  const toastTexts = await recordToasts(page)
  await sleeve.click()
  await expect(sleeve).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(async () => (await toastTexts()).join()).toContain('Now Playing')
  await sleeve.click()
  await expect(sleeve).toHaveAttribute('aria-pressed', 'false')
  await ratings.getByRole('button', { name: 'Your stats' }).click()
  await expect(page).toHaveURL(/\/profile$/)
})

test('discover-28, discover-47: at most four suggestions, each with its reason; choosing one starts it and sends microgenre-selected', async ({
  page,
  stock,
}) => {
  const genre = await stock(previewSongs(1))
  const next = await stock([{ title: 'Onwards' }])
  const real = { ...suggestion(1), id: next.id, name: next.name }
  // A list with fewer microgenres than exist: the page knows only those of this test.
  await mockResponse(page, listNextMicrogenres, [
    real,
    suggestion(2),
    suggestion(3),
    suggestion(4),
    suggestion(5),
  ])
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(listNextMicrogenres.path)) requests.push(request.url())
  })
  await page.route('**/api/microgenres', async (route) => {
    const response = await route.fetch()
    const all = (await response.json()) as { id: string; songCount: number; unratedCount: number }[]
    const mine = all.filter(({ id }) => id === genre.id || id === next.id)
    // The other song counts as rated, so the page starts with the first.
    await route.fulfill({
      response,
      json: mine.map((one) => (one.id === next.id ? { ...one, unratedCount: 0 } : one)),
    })
  })
  await complete(page, genre)
  await expect.poll(() => requests).toHaveLength(1)
  const query = new URL(requests[0] ?? '').searchParams
  expect(Object.fromEntries(query)).toEqual({ exclude: genre.id, limit: String(NEXT_MICROGENRES_LIMIT) })

  const section = page.getByRole('main')
  await expect(section.getByRole('heading', { name: 'Suggested Microgenres' })).toBeVisible()
  await expect(section.getByRole('listitem')).toHaveCount(4)
  await expect(section.getByRole('listitem').nth(1)).toHaveText(
    'Suggestion 212 songsListeners who banged in Number 2 bang in Suggestion 2',
  )
  await page.evaluate(() => {
    window.addEventListener('microgenre-selected', (event) => {
      document.body.dataset.heard = (event as CustomEvent<{ microgenreId: string }>).detail.microgenreId
    })
  })
  const [heard] = await Promise.all([
    page.waitForFunction((id) => document.body.dataset.heard === id, next.id),
    section.getByRole('button', { name: next.name }).click(),
  ])
  expect(await heard.jsonValue()).toBe(true)
  await expect(title(page)).toHaveText('Onwards')
  await expect(heading(page)).toBeHidden()
})

test('@long discover-28: real suggestions leave out the finished microgenre, are requested on completion only, and are cached for 5 minutes', async ({
  page,
  stock,
}) => {
  await page.clock.install()
  const genre = await stock(previewSongs(2))
  let requests = 0
  page.on('request', (request) => {
    if (request.url().includes(listNextMicrogenres.path)) requests += 1
  })
  await openDiscover(page)
  await stopClock(page)
  const names = page.getByRole('main').getByRole('listitem')
  const until = (shown: Locator) => runUntil(page, () => shown.isVisible(), { step: 200, every: 50 })
  const nextSong = page.getByRole('button', { name: 'BANGER', exact: true, disabled: false })
  /** Rates from the first song to the end of the microgenre. */
  const finish = async () => {
    await until(nextSong)
    await page.keyboard.press('ArrowRight')
    await expect(nextSong).toBeHidden()
    await until(nextSong)
    expect(requests).toBe(finished)
    await page.keyboard.press('ArrowRight')
    await until(heading(page))
    await until(names.first())
  }
  let finished = 0
  await finish()
  expect(await names.count()).toBeLessThanOrEqual(4)
  await expect(names.filter({ hasText: genre.name })).toHaveCount(0)
  expect(requests).toBe(1)

  finished = 1
  await restart(page).click()
  await finish()
  expect(requests).toBe(1)
  await page.clock.fastForward(5 * 60_000)
  await restart(page).click()
  await finish()
  await expect.poll(() => requests).toBe(2)
})
