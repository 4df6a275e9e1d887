import { rateAndAdvance } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import { reportPlayback, reportProgress } from '../../contract/playback.ts'
import { pathAt } from '../harness/subPath.ts'
import { signIn, test } from './fixtures.ts'
import {
  heading,
  openLibrary,
  openLibraryOf,
  openRatedLibrary,
  ratedSong,
  tile,
  tiles,
} from './libraryPage.ts'
import { makeListener, rateSongs } from './listeners.ts'
import { holdResponse } from './mockResponses.ts'
import { expect, pad } from './testSongs.ts'
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

  test('library-5, library-6, library-7, library-8, library-9: grey tiles while it loads, then the way to Discover, and a banger as soon as it is rated', async ({
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
    const rated = page.waitForResponse((response) => response.url().endsWith(rateAndAdvance.path))
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
    const said = await recordToasts(page)
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
    await openLibraryOf(page, [ratedSong(1)])
    const bar = page.getByRole('region', { name: 'Now playing' })
    await expect(bar.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    const made: string[] = []
    page.on('request', (request) => {
      const pathname = pathAt(request.url())
      const isReport = pathname === reportProgress.path || pathname === reportPlayback.path
      if (pathname.startsWith('/api/') && !isReport) made.push(pathname)
    })
    page.on('download', (download) => made.push(download.url()))
    const said = await recordToasts(page)
    await page.getByRole('button', { name: 'Export' }).click()
    await expect
      .poll(said)
      .toContain(
        'Export Coming SoonPlaylist export is not available yet. You can download your ratings from your profile.',
      )
    expect(made).toEqual([])
  })
})

test.describe('caching', () => {
  test('library-8: the list is requested again after five minutes, not before', async ({ page }) => {
    await page.clock.install()
    const asked: string[] = []
    page.on('request', (request) => {
      if (pathAt(request.url()) === listRatings.path) asked.push(request.url())
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
    expect(asked).toHaveLength(1)
    await page.clock.fastForward(2 * MINUTE)
    await leaveAndReturn()
    await expect.poll(() => asked).toHaveLength(2)
  })
})
