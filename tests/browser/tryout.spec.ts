import type { Page } from '@playwright/test'
import { sendMagicLink } from '../../contract/auth.ts'
import { addPastRatings, listRatings } from '../../contract/library.ts'
import { microgenrePath } from '../../contract/visitors.ts'
import { SUB_PATH } from '../harness/tier.ts'
import { expect, newEmail, startSession } from './fixtures.ts'
import { failCall } from './mockResponses.ts'
import { art, pad, test, title, toast, videoSongs } from './testSongs.ts'

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 664 } })

const keyOf = (name: string) => name.replaceAll(' ', '-')

const storedRatings = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith(':visitor-ratings-1'))
    return (key && localStorage.getItem(key))?.split('\n') ?? []
  })

const storeRatings = (page: Page, lines: string[]) =>
  page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    `bob${SUB_PATH}:visitor-ratings-1`,
    lines.join('\n'),
  ] as const)

const ratingsOf = async (page: Page) =>
  (await (await page.request.get(listRatings.path)).json()) as { rating: string; song: { title: string } }[]

/** Rates the song on screen, and waits until it is gone. */
async function rate(page: Page, verdict: 'BANGER' | 'BUST'): Promise<string> {
  await expect(pad(page, verdict)).toBeEnabled()
  const song = (await title(page).textContent()) ?? ''
  await pad(page, verdict).tap()
  await expect(title(page)).not.toHaveText(song)
  return song
}

test('visitors-20, visitors-21, visitors-23: one press sounds; ten ratings by touch come along on sign-up, each once', async ({
  page,
  app,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Hear one first' }).tap()
  await expect(art(page, 'Pause')).toBeVisible()
  await expect(page.getByText('Your ratings stay in this browser').filter({ visible: true })).toHaveCount(1)
  expect(app.youtube.calls.filter(({ name }) => name === 'mute')).toEqual([])

  const bangers: string[] = []
  for (let n = 0; n < 10; n++) {
    const song = await rate(page, n % 3 === 0 ? 'BUST' : 'BANGER')
    if (n % 3 !== 0) bangers.unshift(song)
  }
  await expect(title(page)).toHaveText('You found 6 bangers')
  await expect(page.getByRole('listitem').locator('b')).toHaveText(bangers)
  expect(await storedRatings(page)).toHaveLength(10)

  await page.getByRole('button', { name: 'Sign up to keep your ratings' }).tap()
  await page.getByLabel('E-mail').fill(newEmail())
  const [sent] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith(sendMagicLink.path)),
    page.getByRole('button', { name: 'Send magic link' }).tap(),
  ])
  await page.goto((await sent.json()).magicLink)
  await expect(toast(page)).toContainText('Added 10 ratings from this browser.')
  await expect(toast(page)).toContainText('First Banger Found!, 5 Song Streak, 10 Song Streak')
  const ratings = await ratingsOf(page)
  expect(ratings.filter(({ rating }) => rating === 'banger').map(({ song }) => song.title)).toEqual(bangers)
  expect(ratings).toHaveLength(10)
  expect(await storedRatings(page)).toEqual([])
})

test('visitors-22: where the browser stores nothing, trying goes on, and the page says so', async ({
  page,
  stock,
}) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  const { name } = await stock(videoSongs(2))
  await page.goto(microgenrePath(keyOf(name)))
  await page.getByRole('button', { name: 'Rate these' }).tap()
  await rate(page, 'BANGER')
  await expect(page.getByText('they are gone when you leave').filter({ visible: true })).toHaveCount(1)
  await rate(page, 'BANGER')
  await expect(title(page)).toHaveText('You found 2 bangers')
  await page.getByRole('button', { name: 'Undo' }).tap()
  await rate(page, 'BUST')
  await expect(title(page)).toHaveText('You found 1 banger')
})

test('visitors-21: Undo brings back what the browser had stored before', async ({ page, stock }) => {
  const { name, songs } = await stock(videoSongs(2))
  await page.goto(`/try/${keyOf(name)}`)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  const lines = songs.map(({ id }) => `${id} bust 1767225600000`)
  await storeRatings(page, lines)
  for (const verdict of [pad(page, 'BANGER'), page.getByRole('button', { name: 'Not now' })]) {
    const song = (await title(page).textContent()) ?? ''
    await verdict.tap()
    await expect(title(page)).not.toHaveText(song)
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect(title(page)).toHaveText(song)
    expect((await storedRatings(page)).sort()).toEqual(lines.sort())
  }
})

test.describe('with a server that fails', () => {
  test.use({ expectedErrors: [/status of (401|409|500)/] })

  test('visitors-22, visitors-23, visitors-24: two tabs store one list; it waits for a server that fails, and goes with Logout only', async ({
    page,
    context,
    stock,
  }) => {
    const tabs = [page, await context.newPage()]
    for (const tab of tabs) {
      const { name } = await stock(videoSongs(3))
      await tab.goto(`/try/${keyOf(name)}`)
    }
    for (const verdict of ['BANGER', 'BUST'] as const)
      await Promise.all(tabs.map((tab) => rate(tab, verdict)))

    await startSession(context)
    const restores = await Promise.all(tabs.map((tab) => failCall(tab, addPastRatings)))
    await page.goto('/')
    // The other tab follows.
    for (const tab of tabs) await expect(pad(tab, 'BANGER')).toBeEnabled()
    expect(await storedRatings(page)).toHaveLength(4)
    for (const restore of restores) await restore()
    await Promise.all(tabs.map((tab) => tab.goto('/')))
    await expect.poll(() => storedRatings(page)).toEqual([])
    expect(await ratingsOf(page)).toHaveLength(4)

    await storeRatings(page, ['1 bust 1767225600000'])
    await context.clearCookies()
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Hear one first' })).toBeVisible()
    expect(await storedRatings(page)).toHaveLength(1)
    await startSession(context)
    await failCall(page, addPastRatings)
    await page.goto('/')
    await page.getByRole('link', { name: 'Logout' }).tap()
    await expect(page.getByRole('button', { name: 'Hear one first' })).toBeVisible()
    await expect.poll(() => storedRatings(page)).toEqual([])
  })
})
