import type { Page } from '@playwright/test'
import { listMicrogenres, rateAndAdvance, restartMicrogenre } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import { reportPlayback, reportProgress } from '../../contract/playback.ts'
import { pathAt } from '../harness/subPath.ts'
import { fail, hold, SERVER_ERROR } from './answers.ts'
import { run, runUntil, stopClock } from './clock.ts'
import { signIn, startSession, test } from './fixtures.ts'
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
import { expect, test as stockTest, videoSongs } from './stock.ts'
import { hearToasts } from './toasts.ts'

const MINUTE = 60_000

const toast = (page: Page) => page.getByRole('status', { name: 'Notifications' })
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

  test('@long library-1: the list of all ratings is requested, and filtered to bangers', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (pathAt(request.url()) === listRatings.path) asked.push(new URL(request.url()).search)
    })
    await openLibraryOf(page, [rated(1), { ...rated(2), rating: 'bust' }, rated(3)])
    await expect(tile(page, rated(1))).toBeVisible()
    expect(asked).toEqual([''])
    await expect(tiles(page)).toHaveCount(2)
    await expect(tile(page, rated(2))).toHaveCount(0)
  })

  test('@long library-10: of thousands of bangers only the first rows are rendered', async ({ page }) => {
    const many = Array.from({ length: 2000 }, (_, i) => rated(i + 1))
    await openLibraryOf(page, many)
    await expect(tile(page, rated(1))).toBeVisible()
    await expect(tiles(page).first()).toHaveAttribute('aria-setsize', '2000')
    expect(await tiles(page).count()).toBeLessThan(300)
    await expect(filter(page).getByRole('button').first()).toHaveText('All (2000)')
    await page.keyboard.press('End')
    await expect(tile(page, rated(2000))).toBeVisible()
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

  test("@long library-4: the color of a tile's edge is always the same for a microgenre's name", async ({
    page,
  }) => {
    const genres = ['dub', 'shoegaze', 'footwork', 'witch house', 'bossa nova', 'math rock']
    const ratings = genres.flatMap((name, i) => [
      rated(2 * i + 1, { name, id: String(i + 1) }),
      rated(2 * i + 2, { name, id: String(i + 1) }),
    ])
    await openLibraryOf(page, ratings)
    const edges = () =>
      Promise.all(
        ratings.map((one) => tile(page, one).evaluate((element) => getComputedStyle(element).borderTopColor)),
      )
    await expect(tiles(page)).toHaveCount(12)
    const before = await edges()
    for (const i of genres.keys()) expect(before[2 * i]).toBe(before[2 * i + 1])
    expect(new Set(before).size).toBeGreaterThanOrEqual(4)
    await page.reload()
    await openLibrary(page)
    await expect(tiles(page)).toHaveCount(12)
    expect(await edges()).toEqual(before)
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

  test('@long library-2: the counts add up', async ({ page }) => {
    const email = await startSession(page.context())
    await rateSongs(page.request, { banger: 30 })
    await signIn(page, { email })
    await openLibrary(page)
    await expect(tiles(page)).toHaveCount(30)
    const numbers = (await filter(page).getByRole('button').allTextContents()).map((text) =>
      Number(/\((\d+)\)$/.exec(text)?.[1]),
    )
    const [all, ...each] = numbers
    expect(all).toBe(30)
    expect(each.length).toBeGreaterThan(1)
    expect(each.reduce((sum, n) => sum + n, 0)).toBe(30)
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

  test('@long playback-22: a song played in Discover is not announced', async ({ page }) => {
    await signIn(page)
    await expect(banger(page)).toBeEnabled()
    await expect(page.getByRole('main').getByRole('button', { name: 'Pause' })).toBeVisible()
    await expect(toast(page).getByText('Now Playing')).toHaveCount(0)
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

  test('screens-8: only one toast shows at a time', async ({ page }) => {
    await page.clock.install()
    await openRatedLibrary(page, { banger: 2 })
    await expect(tiles(page)).toHaveCount(2)
    await stopClock(page)
    await page.getByRole('button', { name: 'Export' }).click()
    await expect(toast(page).getByText('Export Coming Soon')).toBeVisible()
    await tiles(page).first().getByRole('button').first().click()
    await expect(toast(page).getByText('Now Playing')).toBeVisible()
    await expect(toast(page).getByText('Export Coming Soon')).toHaveCount(0)
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

  for (const { rows, name, from, to } of [
    { rows: 'screens-8', name: 'Export', from: 3000, to: 4000 },
    { rows: 'playback-22, screens-8', name: 'Song 1 by', from: 2900, to: 3100 },
  ]) {
    test(`@long ${rows}: the toast of '${name}' closes after ${from / 1000} to ${to / 1000} s`, async ({
      page,
    }) => {
      await page.clock.install()
      await openLibraryOf(page, [rated(1)])
      await expect(tile(page, rated(1))).toBeVisible()
      await stopClock(page)
      await page.getByRole('main').getByRole('button', { name }).first().click()
      // What it waits for may need a timer first.
      const isShown = async () => (await toast(page).textContent()) !== ''
      await runUntil(page, isShown, { step: 10, every: 50 })
      await run(page, from)
      await expect(toast(page)).not.toHaveText('')
      await run(page, to - from)
      await expect(toast(page)).toHaveText('')
    })
  }
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

  test('@long library-8: the list is cached for half an hour, and shown at once until then', async ({
    page,
  }) => {
    await page.clock.install()
    await openLibraryOf(page, [rated(1)])
    await expect(tile(page, rated(1))).toBeVisible()
    await hold(page, listRatings)
    const skeleton = page.getByTestId('skeleton-tile').first()
    const returnAfter = async (minutes: number) => {
      await page.keyboard.press('3')
      await expect(heading(page)).toHaveText('Community Insights')
      await page.clock.fastForward(minutes * MINUTE)
      await page.keyboard.press('2')
      await expect(heading(page)).toHaveText('My Library')
      await expect(tile(page, rated(1)).or(skeleton)).toBeVisible()
    }
    await returnAfter(29)
    await expect(tile(page, rated(1))).toBeVisible()
    await returnAfter(31)
    await expect(skeleton).toBeVisible()
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

  test('@long library-7: a banger that becomes a bust leaves the library', async ({ page }) => {
    const email = await startSession(page.context())
    const genres = (await (await page.request.get(listMicrogenres.path)).json()) as {
      id: string
      songCount: number
    }[]
    // Other tests create microgenres with few songs, or none.
    const ordinary = genres.filter(({ songCount }) => songCount >= 15)
    const smallest = ordinary.toSorted((a, b) => a.songCount - b.songCount)[0] ?? { id: '', songCount: 0 }
    let song = await (await page.request.get(`/api/microgenres/${smallest.id}/next-song`)).json()
    while (song) {
      const data = { microgenreId: smallest.id, songId: song.id, rating: 'banger' }
      song = (await (await page.request.post(rateAndAdvance.path, { data })).json()).nextSong
    }
    await page.request.delete(restartMicrogenre.path.replace(':id', smallest.id))

    await signIn(page, { email })
    await openLibrary(page)
    await expect(tiles(page)).toHaveCount(smallest.songCount)
    await page.evaluate((microgenreId) => {
      window.dispatchEvent(new CustomEvent('microgenre-selected', { detail: { microgenreId } }))
    }, smallest.id)
    await expect(banger(page)).toBeEnabled()
    const title = (await heading(page).textContent()) ?? ''
    await page.keyboard.press('ArrowLeft')
    await expect(heading(page)).not.toHaveText(title)
    await page.keyboard.press('2')
    await expect(tiles(page)).toHaveCount(smallest.songCount - 1)
    await expect(page.getByRole('button', { name: `${title} by ` })).toHaveCount(0)
  })
})

test('@long screens-7: the library has a Share Collection button', async ({ page }) => {
  await openLibraryOf(page, [rated(1)])
  await page.getByRole('button', { name: 'Share Collection' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test.describe('when the server fails', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('the failure is shown and can be retried', async ({ page }) => {
    const mend = await fail(page, listRatings)
    await signIn(page)
    await openLibrary(page)
    await expect(page.getByRole('alert')).toContainText('Your library did not load.')
    await expect(page.getByRole('heading', { name: 'No Bangers Yet' })).toHaveCount(0)
    await mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'No Bangers Yet' })).toBeVisible()
  })
})
