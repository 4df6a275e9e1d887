import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { listRatings, type RatedSong, removeRating } from '../../contract/library.ts'
import { reportPlayback, reportProgress } from '../../contract/playback.ts'
import { pathAt } from '../harness/tier.ts'
import { run, runUntil, stopClock } from './clock.ts'
import { signIn, test } from './fixtures.ts'
import {
  filter,
  heading,
  nowPlayingBar,
  openLibrary,
  openLibraryOf,
  openRatedLibrary,
  ratedSong,
  tile,
  tiles,
} from './libraryPage.ts'
import { makeListener, rateSongs } from './listeners.ts'
import { failCall, holdResponse, SERVER_ERROR, urlPattern } from './mockResponses.ts'
import { expect, pad, toast } from './testSongs.ts'
import { recordToasts } from './toasts.ts'

const MINUTE = 60_000

test.describe('contents', () => {
  test("library-1, library-10: the listener's own bangers, newest first, and no busts", async ({ page }) => {
    const other = await makeListener()
    await rateSongs(other.api, { bust: 3, banger: 3 })
    const bangers = await openRatedLibrary(page, { banger: 3, bust: 2 })
    await expect(tiles(page)).toHaveCount(3)
    for (const [i, rated] of bangers.entries()) {
      await expect(tiles(page).nth(i).getByRole('button').first()).toHaveAccessibleName(
        `${rated.song.title} by ${rated.song.artist}, ${rated.song.microgenre}`,
      )
    }
  })

  test('library-5, library-6, library-7, library-8, library-9: grey tiles show while it loads, then a link to Discover, and a banger once it is rated', async ({
    page,
  }) => {
    const release = await holdResponse(page, listRatings)
    await signIn(page)
    await openLibrary(page)
    await expect(page.getByRole('status', { name: 'Loading your library' })).toBeVisible()
    await expect(page.getByTestId('skeleton-tile')).toHaveCount(24)
    await expect(page.getByRole('button', { name: 'Export' })).toBeVisible()
    release()
    await expect(page.getByRole('heading', { name: 'No Bangers Yet' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Export' })).toBeVisible()
    await expect(page.getByTestId('skeleton-tile')).toHaveCount(0)
    await page.getByRole('button', { name: 'Discover Music', exact: true }).click()
    await expect(pad(page, 'BANGER')).toBeEnabled()
    const title = (await heading(page).textContent()) ?? ''
    const rated = page.waitForResponse(urlPattern(rateAndAdvance))
    await page.keyboard.press('ArrowRight')
    await rated
    await page.keyboard.press('2')
    await expect(page.getByRole('button', { name: `${title} by ` })).toBeVisible()
    await expect(tiles(page)).toHaveCount(1)
  })
})

test.describe('playing', () => {
  test('library-3, playback-22: a tile plays its song and announces it; a second press pauses without a toast', async ({
    page,
  }) => {
    const [first, second] = await openRatedLibrary(page, { banger: 2 })
    if (!first || !second) throw new Error('There are no bangers.')
    const toastTexts = await recordToasts(page)
    await tile(page, first).click()
    const announced = `Now Playing${first.song.title} by ${first.song.artist}`
    await expect.poll(toastTexts).toEqual([announced])
    await expect(tile(page, first)).toHaveAttribute('aria-pressed', 'true')
    const bar = nowPlayingBar(page)
    await expect(bar).toContainText(first.song.title)

    await tile(page, first).click()
    await expect(tile(page, first)).toHaveAttribute('aria-pressed', 'false')
    await expect(bar.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
    expect(await toastTexts()).toEqual([announced])

    await tile(page, second).click()
    await expect(tile(page, second)).toHaveAttribute('aria-pressed', 'true')
    await expect(tile(page, first)).toHaveAttribute('aria-pressed', 'false')
  })
})

test.describe('toasts', () => {
  test('@long library-9: Export shows that it is not available yet', async ({ page }) => {
    await openLibraryOf(page, [ratedSong(1)])
    const bar = nowPlayingBar(page)
    await expect(bar.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    const made: string[] = []
    page.on('request', (request) => {
      const pathname = pathAt(request.url())
      const isReport = pathname === reportProgress.path || pathname === reportPlayback.path
      if (pathname.startsWith('/api/') && !isReport) made.push(pathname)
    })
    page.on('download', (download) => made.push(download.url()))
    const toastTexts = await recordToasts(page)
    await page.getByRole('button', { name: 'Export' }).click()
    await expect
      .poll(toastTexts)
      .toContain(
        'Export Coming SoonExport to other services is not available yet. ‘Save as…’ beside it and ‘Your data’ have files that they accept.',
      )
    expect(made).toEqual([])
  })
})

test('library-32: Save as counts the songs of each form and downloads what the page shows', async ({
  page,
}) => {
  const [first] = await openRatedLibrary(page, { banger: 3 })
  await page.getByRole('button', { name: 'Save as…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as…' })
  await expect(dialog.getByRole('listitem')).toHaveText([
    /^CSV3 songs: \d with ISRC, \d with MBID.*TuneMyMusic, Soundiiz/,
    /^Text3 songs/,
    /^JSPF.*ListenBrainz/,
    /^XSPF3 songs/,
    /^M3U8.*/,
    /^YouTube.*may stop working/,
  ])
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'CSV', exact: true }).click(),
  ])
  expect(csv.suggestedFilename()).toBe('bangers.csv')

  await page.keyboard.press('Escape')
  const { title, artist } = (first as RatedSong).song
  await page.getByLabel('Search your bangers').fill(`${title} ${artist}`)
  await expect(tiles(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Save as…' }).click()
  await expect(dialog.getByRole('listitem').nth(1)).toContainText('1 song')
  const [text] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Text', exact: true }).click(),
  ])
  expect(text.suggestedFilename()).toBe('bangers.txt')
  expect(await readFile(await text.path(), 'utf8')).toBe(`${artist} - ${title}\n`)
})

test.describe('caching', () => {
  test('library-8: the list is requested again after five minutes, not before', async ({ page }) => {
    await page.clock.install()
    const requests: string[] = []
    page.on('request', (request) => {
      if (pathAt(request.url()) === listRatings.path) requests.push(request.url())
    })
    await openLibraryOf(page, [ratedSong(1)])
    await expect(tile(page, ratedSong(1))).toBeVisible()
    const leaveAndReturn = async () => {
      await page.keyboard.press('3')
      await expect(heading(page)).toHaveText('Community Insights')
      await page.keyboard.press('2')
      await expect(tile(page, ratedSong(1))).toBeVisible()
    }
    await page.clock.fastForward(4 * MINUTE)
    await leaveAndReturn()
    expect(requests).toHaveLength(1)
    await page.clock.fastForward(2 * MINUTE)
    await leaveAndReturn()
    await expect.poll(() => requests).toHaveLength(2)
  })
})

const undo = (page: Page) => toast(page).getByRole('button', { name: 'Undo' })
const remove = (page: Page, { song }: RatedSong) =>
  page.getByRole('button', { name: `Remove from library: ${song.title}`, exact: true })
const counter = (page: Page) => page.getByRole('button', { name: /^Bangers/ })
const readRatings = async (page: Page) =>
  (await (await page.request.get(listRatings.path)).json()) as RatedSong[]

/** The removals that the page sends from now on. */
function watchRemovals(page: Page): string[] {
  const removals: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'DELETE') removals.push(pathAt(request.url()).split('/').at(-1) ?? '')
  })
  return removals
}

/** The library of a listener with that many bangers; the page's clock stands still. */
async function openStill(page: Page, n: number): Promise<[RatedSong, RatedSong, ...RatedSong[]]> {
  await page.clock.install()
  const bangers = await openRatedLibrary(page, { banger: n })
  await expect(tiles(page)).toHaveCount(n)
  await stopClock(page)
  return bangers as [RatedSong, RatedSong, ...RatedSong[]]
}

test('library-14: a removal is sent after ten seconds; the focus moves to the next tile', async ({
  page,
}) => {
  const [first, second] = await openStill(page, 2)
  const removals = watchRemovals(page)
  await remove(page, first).focus()
  const toastTexts = await recordToasts(page)
  await page.keyboard.press('Enter')
  await expect(tile(page, first)).toHaveCount(0)
  await expect(tile(page, second)).toBeFocused()
  await expect(filter(page).getByRole('button').first()).toHaveText('All (1)')
  await run(page, 9_000, 1000)
  await expect(undo(page)).toBeVisible()
  expect(removals).toEqual([])
  expect(await toastTexts()).toEqual([
    expect.stringContaining(`Removed from your library${first.song.title} by ${first.song.artist}`),
  ])
  await expect(counter(page)).toHaveText(/^Bangers\s*2$/)

  await runUntil(page, async () => /^Bangers\s*1$/.test((await counter(page).textContent()) ?? ''))
  expect(removals).toEqual([first.song.id])
  await expect(undo(page)).toHaveCount(0)
  await expect(tiles(page)).toHaveCount(1)
  expect((await readRatings(page)).map(({ song }) => song.id)).toEqual([second.song.id])
})

test.describe('Undo', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] })

  test('library-14: Undo brings all removals of the last ten seconds back to their places, also without a connection', async ({
    page,
    context,
  }) => {
    const [first, second] = await openStill(page, 4)
    const before = await readRatings(page)
    const removals = watchRemovals(page)
    // Its code must be there when the connection is not.
    await page.keyboard.press('3')
    await runUntil(page, () => page.getByRole('heading', { name: 'Community Insights' }).isVisible())
    await page.keyboard.press('2')
    await expect(tiles(page)).toHaveCount(4)
    await context.setOffline(true)
    // Double presses on both.
    await remove(page, first).dblclick()
    await run(page, 6000, 1000)
    await remove(page, second).click()
    await expect(toast(page)).toContainText('2 songs')
    // Another toast interrupts it.
    await page.getByRole('button', { name: 'Export' }).click()
    await expect(toast(page)).toContainText('Export Coming Soon')
    await run(page, 6000, 1000)
    await expect(undo(page)).toBeVisible()
    await undo(page).dblclick()
    await expect(tiles(page)).toHaveCount(4)
    await context.setOffline(false)

    // By keys, from another section.
    await remove(page, first).click()
    await page.keyboard.press('3')
    await expect(heading(page)).toHaveText('Community Insights')
    await undo(page).focus()
    await run(page, 12_000, 1000)
    await page.keyboard.press('Enter')
    await page.keyboard.press('2')
    await expect(tile(page, first)).toBeVisible()
    await remove(page, first).click()
    await page.keyboard.press('u')
    await expect(undo(page)).toHaveCount(0)
    await expect(tile(page, first)).toBeVisible()

    await run(page, 12_000, 1000)
    expect(removals).toEqual([])
    expect(await readRatings(page)).toEqual(before)
    await expect(counter(page)).toHaveText(/^Bangers\s*4$/)
  })
})

test('library-14: leaving the page sends the removal at once; the last banger of a filter shows all again', async ({
  page,
}) => {
  const [first, second] = await openStill(page, 2)
  await filter(page).getByRole('button', { name: first.song.microgenre }).click()
  for (const one of [first, second]) await remove(page, one).click()
  await expect(page.getByRole('heading', { name: 'No Bangers Yet' })).toBeVisible()
  await expect(undo(page)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
  await expect.poll(() => readRatings(page)).toEqual([])
})

test.describe('when it fails', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('@long library-14: the song returns, with a message', async ({ page }) => {
    const [first] = await openStill(page, 2)
    await failCall(page, removeRating)
    const toastTexts = await recordToasts(page)
    await remove(page, first).click()
    await toast(page).getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(toastTexts).toContain('ErrorThe song is still in your library. Please try again.')
    await expect(tile(page, first)).toBeVisible()
    await expect(tiles(page)).toHaveCount(2)
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 664 } })

  test('@long library-2: the chosen microgenre stays visible when its count changes its place', async ({
    page,
  }) => {
    const others = Array.from({ length: 6 }, (_, n) => ({ name: `another genre ${n}`, id: `other-${n}` }))
    const chosen = { name: 'the zydeco', id: 'zydeco' }
    const genres = [chosen, chosen, ...others, ...others]
    await openLibraryOf(
      page,
      genres.map((genre, n) => ratedSong(n, genre)),
    )
    const choice = filter(page).getByRole('button', { name: chosen.name })
    await choice.click()
    await page
      .getByRole('button', { name: /^Remove from library/ })
      .first()
      .click()

    await expect(choice).toHaveText('the zydeco (1)')
    await expect(choice).toBeInViewport({ ratio: 1 })
  })
})
