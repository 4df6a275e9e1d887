import type { Locator, Page } from '@playwright/test'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import { signIn } from './fixtures.ts'
import {
  filter,
  heading,
  nowPlayingBar,
  openLibrary,
  openLibraryOf,
  ratedSong,
  tile,
  tiles,
} from './libraryPage.ts'
import { holdResponse, mockResponse } from './mockResponses.ts'
import { expect, previewSongs, test } from './testSongs.ts'

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search your bangers' })
const sort = (page: Page) => page.getByRole('combobox', { name: 'Sort by' })
const asList = (page: Page) => page.getByRole('button', { name: 'Show as list' })
const asGrid = (page: Page) => page.getByRole('button', { name: 'Show as grid' })

const dub = { name: 'dub', id: '1' }
const gaze = { name: 'shoegaze', id: '2' }

function song(n: number, title: string, artist: string, genre = dub): RatedSong {
  const one = ratedSong(n, genre)
  return { ...one, song: { ...one.song, title, artist } }
}

const bangers = [
  song(1, 'Hoppípolla', 'Sigur Rós'),
  song(2, 'Øresund', 'Mø', gaze),
  song(3, 'Alison', 'Slowdive', gaze),
  song(4, 'Zebra', 'Beach House', gaze),
]

async function titles(page: Page): Promise<(string | undefined)[]> {
  const labels = await tiles(page)
    .locator('[data-banger] > button:first-child')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''))
  return labels.map((label) => label.split(' by ')[0])
}

/** Whether the words are visible without hover or focus. */
async function expectReadable(item: Locator, { song }: RatedSong) {
  for (const text of [song.title, song.artist, song.microgenre]) {
    const word = item.getByText(text, { exact: true })
    await expect(word).toHaveCount(1)
    await expect(word).toBeVisible()
    expect(await word.evaluate((one) => one.checkVisibility({ opacityProperty: true }))).toBe(true)
    expect(await word.evaluate((one) => one.scrollWidth <= one.clientWidth + 1), text).toBe(true)
  }
}

test.describe('without a mouse', () => {
  test.use({ hasTouch: true })

  test('library-3: title, artist and microgenre are readable at every size, in grid and list; a long title is uncut', async ({
    page,
  }) => {
    const one = song(1, 'Song', 'Somebody')
    const long = 'When the Catholic Girls Go Camping, the Nicotine Vampires Rule Supreme'
    await openLibraryOf(page, [one, song(2, long, 'Giraffes? Giraffes!')])
    for (const viewport of [
      { width: 390, height: 664 },
      { width: 820, height: 1180 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(viewport)
      await expectReadable(tiles(page).first(), one)
      const words = tiles(page).getByText(long)
      expect(await words.evaluate((element) => element.scrollHeight <= element.clientHeight + 2)).toBe(true)
      await asList(page).click()
      await expectReadable(tiles(page).first(), one)
      await asGrid(page).click()
    }
  })
})

test('screens-17, library-3: a phone in landscape shows tiles, and one in portrait names the actions', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(1))
  await page.setViewportSize({ width: 844, height: 390 })
  await openLibraryOf(page, bangers)
  const bar = nowPlayingBar(page)
  await expect(bar).toBeVisible()
  const tile = await tiles(page).first().boundingBox()
  expect(((await bar.boundingBox())?.y ?? 0) - (tile?.y ?? 0)).toBeGreaterThan(120)
  await page.setViewportSize({ width: 390, height: 664 })
  for (const name of ['Collections', 'Share Collection', 'Export']) {
    const word = page.getByRole('button', { name, exact: true }).locator('span').first()
    await expect(word).toBeInViewport({ ratio: 1 })
    expect((await word.boundingBox())?.width).toBeGreaterThan(20)
  }
})

test('library-2, library-4, library-12: each microgenre with its count and colour, most first; search looks at title, artist and microgenre without accents and case; four sorts', async ({
  page,
}) => {
  await openLibraryOf(page, bangers)
  for (const [words, shownTitles] of [
    ['SIGUR ros', ['Hoppípolla']],
    ['oresund', ['Øresund']],
    ['SHOE', ['Øresund', 'Alison', 'Zebra']],
    ['gaze slow', ['Alison']],
    ['hoppípolla', ['Hoppípolla']],
  ] as const) {
    await search(page).fill(words)
    await expect.poll(() => titles(page)).toEqual(shownTitles)
  }
  await expect(filter(page).getByRole('button')).toHaveText(['All (4)', 'shoegaze (3)', 'dub (1)'])
  await filter(page).getByRole('button', { name: 'dub' }).click()
  await expect.poll(() => titles(page)).toEqual(['Hoppípolla'])
  const cover = tiles(page).getByRole('button').first()
  const edge = await cover.evaluate((element) => getComputedStyle(element).borderTopColor)
  await expect(tiles(page).getByText('dub')).toHaveCSS('color', edge)
  await expect(filter(page).getByText('dub').locator('span')).toHaveCSS('background-color', edge)
  await search(page).fill('slowdive')
  await expect(page.getByText('No banger matches “slowdive”.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all bangers' }).click()
  await expect(search(page)).toHaveValue('')
  await expect(tiles(page)).toHaveCount(4)
  await expect(page.getByRole('main')).toBeFocused()
  for (const [by, order] of [
    ['Artist', ['Zebra', 'Øresund', 'Hoppípolla', 'Alison']],
    ['Title', ['Alison', 'Hoppípolla', 'Øresund', 'Zebra']],
    ['Genre', ['Hoppípolla', 'Øresund', 'Alison', 'Zebra']],
    ['Newest', ['Hoppípolla', 'Øresund', 'Alison', 'Zebra']],
  ] as const) {
    await sort(page).selectOption(by)
    expect(await titles(page)).toEqual(order)
  }
})

test('library-13: filter, search, sort and view persist across sections; sort and view also across a reload', async ({
  page,
}) => {
  await openLibraryOf(page, bangers)
  await filter(page).getByRole('button', { name: 'shoegaze' }).click()
  await search(page).fill('o')
  await sort(page).selectOption('Title')
  await asList(page).click()
  await expect.poll(() => titles(page)).toEqual(['Alison', 'Øresund', 'Zebra'])
  await page.keyboard.press('3')
  await expect(heading(page)).toHaveText('Community Insights')
  await page.keyboard.press('2')
  await expect.poll(() => titles(page)).toEqual(['Alison', 'Øresund', 'Zebra'])
  await expect(search(page)).toHaveValue('o')
  await expect(asGrid(page)).toBeVisible()
  await expect(filter(page).getByRole('button', { pressed: true })).toHaveText('shoegaze (3)')

  await page.reload()
  await openLibrary(page)
  await expect.poll(() => titles(page)).toEqual(['Alison', 'Hoppípolla', 'Øresund', 'Zebra'])
  await expect(asGrid(page)).toBeVisible()
  await expect(sort(page)).toHaveValue('title')
})

const boxes = [
  { screen: 'a phone', viewport: { width: 390, height: 664 } },
  { screen: 'a desktop @long', viewport: { width: 1280, height: 600 } },
]
for (const { screen, viewport } of boxes) {
  test.describe(`boxes on ${screen}`, () => {
    test.use({ viewport })

    test('library-5: the grey tiles have the places of the bangers, and the heading does not move', async ({
      page,
    }) => {
      const many = Array.from({ length: 30 }, (_, i) =>
        ratedSong(i + 1, { name: `genre ${i}`, id: String(i) }),
      )
      await mockResponse(page, listRatings, many)
      const release = await holdResponse(page, listRatings)
      await signIn(page)
      await openLibrary(page)
      const h1 = page.getByRole('heading', { level: 1, name: 'My Library' })
      const top = async () => {
        const box = await h1.boundingBox()
        return [box?.x, box?.y]
      }
      await expect(page.getByTestId('skeleton-tile')).toHaveCount(24)
      await page.evaluate(() => document.fonts.ready)
      const place = await top()
      const grey = await page.getByTestId('skeleton-tile').evaluateAll(rectangles)
      release()
      await expect(tiles(page)).toHaveCount(30)
      expect((await tiles(page).evaluateAll(rectangles)).slice(0, 24)).toEqual(grey)
      expect(await top()).toEqual(place)

      await filter(page).getByRole('button', { name: 'genre 3 (1)' }).click()
      await expect(tiles(page)).toHaveCount(1)
      expect(await top()).toEqual(place)
      await search(page).fill('nothing of this')
      await expect(page.getByText('No banger matches')).toBeVisible()
      expect(await top()).toEqual(place)
      await asList(page).click()
      expect(await top()).toEqual(place)
    })
  })
}

/** Heights in the middle of the window, in px, where no banger is drawn. */
const findGaps = (list: Locator) =>
  list.evaluate((one) => {
    const tiles = [...one.querySelectorAll('li')].map((each) => each.getBoundingClientRect())
    const heights = Array.from({ length: 8 }, (_, n) => (window.innerHeight / 10) * (n + 1))
    // The distance of two tiles.
    return heights.filter((y) => !tiles.some(({ top, bottom }) => top - 13 < y && bottom + 13 > y))
  })

const rectangles = (elements: Element[]) =>
  elements.map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return [left, top + window.scrollY, width, height].map(Math.round)
  })

test('@long screens-17: with larger text in the browser the bangers of a long library do not overlap', async ({
  page,
}) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 24 } })
  await openLibraryOf(
    page,
    Array.from({ length: 300 }, (_, n) => ratedSong(n + 1)),
  )
  for (const layout of ['grid', 'list']) {
    await expect(tiles(page).nth(5)).toBeVisible()
    const places = await tiles(page).evaluateAll(rectangles)
    const overlaps = places.filter(([left, top], n) =>
      places.slice(0, n).some(([x, y = 0, , height = 0]) => x === left && y + height > (top ?? 0)),
    )
    expect(overlaps, layout).toEqual([])
    if (layout === 'grid') await asList(page).click()
  }
})

test('@long library-10: a long library has its full height at once, as grid and as list', async ({
  page,
}) => {
  const many = Array.from({ length: 600 }, (_, i) => ratedSong(i + 1))
  await openLibraryOf(page, many)
  for (const layout of ['grid', 'list']) {
    if (layout === 'list') await asList(page).click()
    await expect(tile(page, ratedSong(1))).toBeVisible()
    const list = page.getByRole('list', { name: 'Your bangers' })
    const height = await list.evaluate((one) => one.clientHeight)
    await page.keyboard.press('3')
    await expect(heading(page)).toHaveText('Community Insights')
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const again = document.querySelector('ul[aria-label="Your bangers"]')
        if (!again) return
        observer.disconnect()
        document.title = `height ${again.clientHeight}`
      }).observe(document.body, { childList: true, subtree: true })
    })
    await page.keyboard.press('2')
    await expect(page).toHaveTitle(`height ${height}`)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(tile(page, ratedSong(600))).toBeVisible()
    expect(await tiles(page).count()).toBeLessThan(200)
    await page.evaluate(() => window.scrollTo(0, 0))
  }
})

test.describe('a long library', () => {
  test('@long library-18: fast scrolling draws only the rows at its end, as grid and as list', async ({
    page,
  }) => {
    await openLibraryOf(
      page,
      Array.from({ length: 3000 }, (_, i) => ratedSong(i + 1)),
    )
    const list = page.getByRole('list', { name: 'Your bangers' })
    const devtools = await page.context().newCDPSession(page)
    for (const layout of ['grid', 'list']) {
      if (layout === 'list') await asList(page).click()
      await expect(tile(page, ratedSong(1))).toBeVisible()
      await list.evaluate((one) => {
        const drawn = new Set<string>()
        new MutationObserver((changes) => {
          for (const { addedNodes } of changes)
            for (const node of addedNodes) drawn.add((node as Element).getAttribute('aria-posinset') ?? '')
          one.setAttribute('data-drawn', String(drawn.size))
        }).observe(one, { childList: true })
      })
      await devtools.send('Input.synthesizeScrollGesture', {
        x: 300,
        y: 400,
        yDistance: -12_000,
        speed: 10_000,
        preventFling: true,
        gestureSourceType: 'mouse',
      })
      const passed = await list.evaluate((one) => {
        const row = one.querySelector('li')?.getBoundingClientRect()
        if (!row) return 0
        return Math.floor(12_000 / row.height) * Math.floor(one.clientWidth / row.width)
      })
      await expect.poll(() => findGaps(list)).toEqual([])
      await expect(list).not.toHaveAttribute('data-behind')
      expect(Number(await list.getAttribute('data-drawn'))).toBeLessThan(passed / 2)
      await page.evaluate(() => window.scrollTo(0, 0))
    }
  })

  test('library-15: the newest ratings come first, then the rest, without a wrong count or a new picture', async ({
    page,
  }) => {
    const many = Array.from({ length: 600 }, (_, i) => ({
      ...ratedSong(i + 1),
      song: { ...ratedSong(i + 1).song, albumArt: `https://covers.test/${i}.png` },
    }))
    const requests: string[] = []
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('https://covers.test/**', (route) => {
      requests.push(route.request().url())
      return route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
      })
    })
    const ranges: (string | undefined)[] = []
    await page.route(`**${listRatings.path}`, async (route) => {
      const range = /items=0-(\d+)/.exec(route.request().headers().range ?? '')?.[1]
      ranges.push(range)
      if (range === undefined) {
        await released
        return route.fulfill({ json: many })
      }
      const items = many.slice(0, Number(range) + 1)
      const headers = { 'content-range': `items 0-${items.length - 1}/${many.length}` }
      return route.fulfill({ status: 206, headers, json: items })
    })
    await signIn(page)
    await openLibrary(page)
    await expect(tile(page, ratedSong(1))).toBeVisible()
    await expect(filter(page).getByRole('button')).toHaveText(['All'])
    await tile(page, ratedSong(3)).focus()
    release()
    await expect(filter(page).getByRole('button').first()).toHaveText('All (600)')
    await expect(tiles(page).first()).toHaveAttribute('aria-setsize', '600')
    await expect(tile(page, ratedSong(3))).toBeFocused()
    expect(ranges).toEqual(['199', undefined])
    expect(new Set(requests).size).toBe(requests.length)
  })
})
