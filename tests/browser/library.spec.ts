import type { Page } from '@playwright/test'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import { reportPlayback, reportProgress } from '../../contract/playback.ts'
import { pathAt } from '../harness/subPath.ts'
import { hold } from './answers.ts'
import { stopClock } from './clock.ts'
import { signIn, test } from './fixtures.ts'
import { makeListener, rateSongs } from './listeners.ts'
import {
  filter,
  type Genre,
  heading,
  openLibrary,
  openLibraryOf,
  openRatedLibrary,
  rated,
  tile,
  tiles,
} from './shelf.ts'
import { expect, test as stockTest, toast, videoSongs } from './stock.ts'
import { hearToasts } from './toasts.ts'

const MINUTE = 60_000

const banger = (page: Page) => page.getByRole('button', { name: 'BANGER', exact: true })
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

  test('library-6: an empty library says so, and links to Discover', async ({ page }) => {
    await signIn(page)
    await openLibrary(page)
    await expect(page.getByRole('heading', { name: 'No Bangers Yet' })).toBeVisible()
    await page.getByRole('button', { name: 'Discover Music', exact: true }).click()
    await expect(banger(page)).toBeVisible()
  })

  test('library-5: 24 grey tiles show while it loads', async ({ page }) => {
    const release = await hold(page, listRatings)
    await signIn(page)
    await openLibrary(page)
    await expect(page.getByRole('status', { name: 'Loading your library' })).toBeVisible()
    await expect(page.getByTestId('skeleton-tile')).toHaveCount(24)
    release()
    await expect(page.getByRole('heading', { name: 'No Bangers Yet' })).toBeVisible()
    await expect(page.getByTestId('skeleton-tile')).toHaveCount(0)
  })
})

test.describe('the filter', () => {
  test('library-2: All (n), then each microgenre with its count, most first', async ({ page }) => {
    const [dub, gaze, rock] = ['dub', 'shoegaze', 'math rock'].map((name, i) => ({
      name,
      id: String(i + 1),
    })) as [Genre, Genre, Genre]
    await openLibraryOf(page, [
      rated(1, rock),
      rated(2, gaze),
      rated(3, gaze),
      rated(4, dub),
      rated(5, gaze),
      rated(6, dub),
    ])
    const choices = filter(page).getByRole('button')
    await expect(choices).toHaveText(['All (6)', 'shoegaze (3)', 'dub (2)', 'math rock (1)'])
    await expect(choices.first()).toHaveAttribute('aria-pressed', 'true')
    await expect(tiles(page)).toHaveCount(6)

    await filter(page).getByRole('button', { name: 'dub (2)' }).click()
    await expect(tiles(page)).toHaveCount(2)
    await expect(tile(page, rated(4, dub))).toBeVisible()
    await expect(tile(page, rated(6, dub))).toBeVisible()
    await expect(filter(page).getByRole('button', { pressed: true })).toHaveText('dub (2)')

    await filter(page).getByRole('button', { name: 'All (6)' }).click()
    await expect(tiles(page)).toHaveCount(6)
  })
})

test.describe('playing', () => {
  test('library-3, playback-22: a tile plays its song and announces it; a second press pauses without a toast', async ({
    page,
  }) => {
    const [first, second] = await openRatedLibrary(page, { banger: 2 })
    if (!first || !second) throw new Error('There are no bangers.')
    const said = await hearToasts(page)
    await tile(page, first).click()
    const announced = `Now Playing${first.song.title} by ${first.song.artist}`
    await expect.poll(said).toEqual([announced])
    await expect(tile(page, first)).toHaveAttribute('aria-pressed', 'true')
    const bar = page.getByRole('region', { name: 'Now playing' })
    await expect(bar).toContainText(first.song.title)

    await tile(page, first).click()
    await expect(tile(page, first)).toHaveAttribute('aria-pressed', 'false')
    await expect(bar.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
    expect(await said()).toEqual([announced])

    await tile(page, second).click()
    await expect(tile(page, second)).toHaveAttribute('aria-pressed', 'true')
    await expect(tile(page, first)).toHaveAttribute('aria-pressed', 'false')
  })
})

test.describe('toasts', () => {
  test('@long library-9: Export shows that it is not available yet', async ({ page }) => {
    await openLibraryOf(page, [rated(1)])
    const bar = page.getByRole('region', { name: 'Now playing' })
    await expect(bar.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    const made: string[] = []
    page.on('request', (request) => {
      const pathname = pathAt(request.url())
      const isReport = pathname === reportProgress.path || pathname === reportPlayback.path
      if (pathname.startsWith('/api/') && !isReport) made.push(pathname)
    })
    page.on('download', (download) => made.push(download.url()))
    const said = await hearToasts(page)
    await page.getByRole('button', { name: 'Export' }).click()
    await expect
      .poll(said)
      .toContain(
        'Export Coming SoonPlaylist export is not available yet. You can download your ratings from your profile.',
      )
    expect(made).toEqual([])
  })

  test.describe('on a tablet', () => {
    test.use({ viewport: { width: 768, height: 1024 } })

    stockTest('@long playback-10: toast, bar and video do not overlap', async ({ page, stock }) => {
      await page.clock.install()
      await stock(videoSongs(1))
      await openLibraryOf(page, [rated(1)])
      const back = page.getByRole('button', { name: 'Back to Discover' })
      await expect(tile(page, rated(1))).toBeVisible()
      await expect(back).toBeVisible()
      await stopClock(page)
      await page.getByRole('button', { name: 'Export' }).click()
      await expect(toast(page)).toContainText('Export Coming Soon')
      const video = await page.getByRole('complementary', { name: 'Video' }).boundingBox()
      const bar = await page.getByRole('region', { name: 'Now playing' }).boundingBox()
      const note = await toast(page).boundingBox()
      expect((video?.y ?? 0) + (video?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
      expect((note?.y ?? 0) + (note?.height ?? 0)).toBeLessThan(video?.y ?? 0)
    })
  })
})

test.describe('caching', () => {
  test('library-8: the list is requested again after five minutes, not before', async ({ page }) => {
    await page.clock.install()
    const asked: string[] = []
    page.on('request', (request) => {
      if (pathAt(request.url()) === listRatings.path) asked.push(request.url())
    })
    await openLibraryOf(page, [rated(1)])
    await expect(tile(page, rated(1))).toBeVisible()
    const leaveAndReturn = async () => {
      await page.keyboard.press('3')
      await expect(heading(page)).toHaveText('Community Insights')
      await page.keyboard.press('2')
      await expect(tile(page, rated(1))).toBeVisible()
    }
    await page.clock.fastForward(4 * MINUTE)
    await leaveAndReturn()
    expect(asked).toHaveLength(1)
    await page.clock.fastForward(2 * MINUTE)
    await leaveAndReturn()
    await expect.poll(() => asked).toHaveLength(2)
  })

  test('library-7, library-8: a banger is in the library as soon as it is rated', async ({ page }) => {
    await signIn(page)
    await openLibrary(page)
    await expect(page.getByRole('heading', { name: 'No Bangers Yet' })).toBeVisible()
    await page.keyboard.press('1')
    await expect(banger(page)).toBeEnabled()
    const title = (await heading(page).textContent()) ?? ''
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith(rateAndAdvance.path)),
      page.keyboard.press('ArrowRight'),
    ])
    await page.keyboard.press('2')
    await expect(page.getByRole('button', { name: `${title} by ` })).toBeVisible()
    await expect(tiles(page)).toHaveCount(1)
  })
})
