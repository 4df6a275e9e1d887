import type { Page } from '@playwright/test'
import { getMap, getNextSong, type MappedMicrogenre } from '../../contract/discovery.ts'
import { getMapStory } from '../../contract/sharing.ts'
import { SUB_PATH } from '../harness/tier.ts'
import { makeSong } from '../makeSong.ts'
import { signIn, startSession } from './fixtures.ts'
import { nowPlayingBar } from './libraryPage.ts'
import { rateSongs } from './listeners.ts'
import { failCall, holdResponse, mockResponse } from './mockResponses.ts'
import { expect, previewSongs, type TestMicrogenre, test, title, toast } from './testSongs.ts'
import { recordToasts } from './toasts.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const WHAT_NEARNESS_MEANS =
  'Microgenres stand close when the same listeners bang in both or, before enough have, when they are related.'

const PLACED_GENRE: MappedMicrogenre = {
  id: '1',
  name: 'dream pop',
  family: 'rock',
  description: 'Guitars in a haze.',
  color: '#c45b7c',
  songCount: 22,
  x: 0,
  y: 0,
  near: [],
  ratings: 0,
  bangers: 0,
}

/** In a row, from left to right. */
const ROW_OF_GENRES: MappedMicrogenre[] = [
  { ...PLACED_GENRE, near: ['4', '2', '3'], ratings: 8, bangers: 3 },
  { ...PLACED_GENRE, id: '2', name: 'slowcore', near: ['1', '3', '4'], x: 1, ratings: 2 },
  { ...PLACED_GENRE, id: '3', name: 'noise pop', near: ['2', '4', '1'], x: 2 },
  {
    ...PLACED_GENRE,
    id: '4',
    name: 'Japanese city pop',
    family: 'pop',
    near: ['1', '3', '2'],
    x: 3.5,
    ratings: 12,
    bangers: 9,
  },
]

const map = (page: Page) => page.getByRole('group', { name: 'Map of microgenres' })
const dot = (page: Page, name: string) =>
  map(page).getByRole('button', { name: new RegExp(`^${name}, `), includeHidden: true })
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** Signs in, and waits until the server has drawn the map, soon after its start. */
async function waitForMap(page: Page): Promise<MappedMicrogenre[]> {
  await startSession(page.context())
  let places: MappedMicrogenre[] = []
  await expect(async () => {
    places = await (await page.request.get(getMap.path)).json()
    expect(places.length).toBeGreaterThan(100)
  }).toPass()
  return places
}

async function openMap(page: Page, places: MappedMicrogenre[], search = ''): Promise<void> {
  await mockResponse(page, getMap, places)
  await signIn(page, { path: `/microgenres${search}` })
  await expect(map(page)).toBeVisible()
}

/** The microgenre as it is on the map. */
const placeOf = ({ id, name, songs }: TestMicrogenre, x: number): MappedMicrogenre => ({
  ...PLACED_GENRE,
  id,
  name,
  songCount: songs.length,
  x,
})

test('discover-83: the picker and Community link the map, and Discover keeps its microgenre', async ({
  page,
  stock,
}) => {
  const { id, name } = await stock(previewSongs(2))
  await stock(previewSongs(2))
  await signIn(page, { path: `/?microgenre=${id}` })
  const current = page.getByRole('button', { name: `Currently listening to ${name}` })
  await current.click()
  await page
    .getByRole('dialog', { name: 'Discover Your Sound' })
    .getByRole('button', { name: 'Map', exact: true })
    .click()
  await expect(page).toHaveURL(`/microgenres?microgenre=${id}`)
  await expect(page).toHaveTitle('Microgenres · Banger or Bust')
  await expect(page.getByText(WHAT_NEARNESS_MEANS)).toBeVisible()
  // The picker's entry in the history is gone.
  await page.goBack()
  await expect(current).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.keyboard.press('3')
  await page.getByRole('link', { name: 'The map of microgenres' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Microgenres' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to Discovery' }).click()
  await expect(page).toHaveURL(`/?microgenre=${id}`)
  await expect(current).toBeVisible()
})

test('@long discover-83: the map counts explored microgenres, and the browser stores the view', async ({
  page,
}) => {
  await openMap(page, ROW_OF_GENRES)
  await expect(page.getByText('3 of 4 explored.')).toBeVisible()
  await page.getByRole('button', { name: 'List' }).click()
  await expect(map(page)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'noise pop' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'List' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Map', exact: true }).click()
  await expect(dot(page, 'noise pop')).toBeVisible()
})

test('discover-84, discover-86: the more bangers, the larger a dot; pressing it opens its panel, which covers nothing of the map', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await openMap(page, ROW_OF_GENRES, '?microgenre=2')
  await expect(map(page).getByRole('button')).toHaveText(ROW_OF_GENRES.map(({ name }) => name))
  await expect(dot(page, 'dream pop')).toHaveAccessibleName('dream pop, 3 bangers of 8 rated, 22 songs')
  await expect(dot(page, 'noise pop')).toHaveAccessibleName('noise pop, Nothing rated yet, 22 songs')
  const lights = await map(page)
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => {
        const dotLight = button.firstElementChild ?? button
        const { width, backgroundColor } = getComputedStyle(dotLight)
        return { width: Number.parseFloat(width), backgroundColor }
      }),
    )
  const [few, rated, unheard, many] = lights
  const widths = [unheard, rated, few, many].map((dotLight) => dotLight?.width ?? 0)
  expect(widths).toEqual(widths.toSorted((one, other) => one - other))
  expect(new Set(lights.map(({ backgroundColor }) => backgroundColor)).size).toBe(3)
  expect(few?.backgroundColor).toBe(many?.backgroundColor)
  await expect(map(page).getByRole('button', { expanded: false })).toHaveCount(4)
  await expect(dot(page, 'slowcore')).toHaveAttribute('aria-current', 'true')
  await expect(page.getByText('on Discover')).toBeVisible()
  // Three pale lines from each of the three rated ones; three strong ones from what is pointed at.
  const [pale, strong] = [map(page).locator('path').first(), map(page).locator('path').last()]
  await expect(pale).toHaveAttribute('d', /^(M[\d. ]+L[\d. ]+){9}$/)
  await dot(page, 'noise pop').hover()
  await expect(strong).toHaveAttribute('d', /^(M[\d. ]+L[\d. ]+){3}$/)
  await expect(map(page).getByText('rock', { exact: true })).toHaveCSS('text-transform', 'capitalize')

  await dot(page, 'dream pop').click()
  await expect(panel(page, 'dream pop')).toContainText('3 bangers of 8 rated, 22 songs')
  await expect(panel(page, 'dream pop')).toContainText('Guitars in a haze.')
  await expect(panel(page, 'dream pop')).toContainText('Near: Japanese city pop, slowcore, noise pop')
  await dot(page, 'Japanese city pop').click()
  await expect(panel(page, 'dream pop')).toBeHidden()
  await expect(panel(page, 'Japanese city pop')).toBeInViewport({ ratio: 1 })
  await expect(dot(page, 'Japanese city pop')).toBeInViewport({ ratio: 1 })
  await expect(dot(page, 'Japanese city pop')).toHaveAttribute('aria-expanded', 'true')

  await page.keyboard.press('Escape')
  await expect(panel(page, 'Japanese city pop')).toBeHidden()
  await dot(page, 'slowcore').click()
  await panel(page, 'slowcore').getByRole('button', { name: 'Close' }).press('Enter')
  await expect(panel(page, 'slowcore')).toBeHidden()
  await expect(dot(page, 'slowcore')).toBeFocused()
  await dot(page, 'slowcore').click()
  await dot(page, 'slowcore').click()
  await expect(panel(page, 'slowcore')).toBeHidden()
})

for (const [width, height, tier] of [
  [390, 664, ''],
  [844, 390, '@long '],
  [1440, 900, '@long '],
] as const)
  test(`${tier}discover-85: at ${width}×${height} every name of the catalogue is whole and covers none, and the map begins at Discover's`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height })
    const places = await waitForMap(page)
    const current = places.find(({ name }) => name === 'Japanese city pop')
    await signIn(page, { path: `/microgenres?microgenre=${current?.id}` })
    await expect(dot(page, 'Japanese city pop')).toBeInViewport()

    const measured = await map(page)
      .getByRole('button')
      .evaluateAll((buttons) => {
        const boxOf = (element: Element) => {
          const range = document.createRange()
          range.selectNodeContents(element)
          return range.getBoundingClientRect()
        }
        const meet = (one: DOMRect, other: DOMRect) =>
          Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5 &&
          Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5
        const names = buttons.map((button) => button.lastElementChild ?? button)
        const boxes = names.map(boxOf)
        const dots = buttons.map((button) => button.getBoundingClientRect())
        const lights = buttons.map((button) => (button.firstElementChild ?? button).getBoundingClientRect())
        const sheet = buttons[0]?.parentElement?.getBoundingClientRect()
        return {
          texts: names.map((name) => name.textContent),
          hidden: names.filter((name) => !name.checkVisibility({ visibilityProperty: true })).length,
          // Each pair from both sides.
          covered: boxes.filter((box, i) => boxes.some((other, j) => i !== j && meet(box, other))).length,
          onDots: boxes.filter((box, i) => lights.some((dotLight, j) => i !== j && meet(box, dotLight)))
            .length,
          outside: boxes.filter((box) => !sheet || box.left < sheet.left || box.right > sheet.right).length,
          // Targets are circles.
          tooClose: dots.filter((one, i) =>
            dots.some((other, j) => i !== j && Math.hypot(one.x - other.x, one.y - other.y) < 44),
          ).length,
          small: dots.filter((box) => box.width < 44 || box.height < 44).length,
          under: buttons.filter((button, i) => {
            names[i]?.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
            const { x, y, width, height } = boxOf(names[i] ?? button)
            return [0.05, 0.5, 0.95].some(
              (part) => !button.contains(document.elementFromPoint(x + width * part, y + height / 2)),
            )
          }).length,
        }
      })
    expect(measured).toEqual({
      texts: places.map(({ name }) => name),
      hidden: 0,
      covered: 0,
      onDots: 0,
      outside: 0,
      tooClose: 0,
      small: 0,
      under: 0,
    })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })

test('@long discover-85: Tab reaches one dot, and the arrow keys lead to the nearest in their direction', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await openMap(page, ROW_OF_GENRES, '?microgenre=2')
  await page.getByRole('button', { name: 'Share' }).focus()
  await page.keyboard.press('Tab')
  await expect(dot(page, 'slowcore')).toBeFocused()
  for (const [key, name] of [
    ['ArrowRight', 'noise pop'],
    ['ArrowRight', 'Japanese city pop'],
    ['ArrowRight', 'Japanese city pop'],
    ['ArrowUp', 'Japanese city pop'],
    ['ArrowLeft', 'noise pop'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(dot(page, name)).toBeFocused()
    await expect(dot(page, name).getByText(name)).toBeInViewport({ ratio: 1 })
    await expect(dot(page, name).getByText(name)).toHaveCSS('opacity', '1')
  }
  await expect(dot(page, 'noise pop')).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(panel(page, 'noise pop').getByRole('button', { name: 'Close' })).toBeFocused()
})

test('discover-87: Discover starts with the song that the map plays', async ({ page, stock }) => {
  const currentGenre = await stock(previewSongs(3))
  const otherGenre = await stock(previewSongs(3))
  await openMap(page, [placeOf(currentGenre, 0), placeOf(otherGenre, 1)], `?microgenre=${currentGenre.id}`)
  await dot(page, otherGenre.name).click()
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/next-song')) calls.push(request.url())
  })
  const hear = panel(page, otherGenre.name).getByRole('button', { name: 'Hear a song' })
  const response = page.waitForResponse(/next-song/)
  await hear.dblclick()
  const song = (await (await response).json()) as { title: string }
  await expect(nowPlayingBar(page)).toContainText(song.title)
  await expect(panel(page, otherGenre.name).getByRole('button', { name: 'Pause' })).toBeVisible()
  expect(calls).toHaveLength(1)
  await panel(page, otherGenre.name).getByRole('button', { name: 'Pause' }).click()
  await expect(nowPlayingBar(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await panel(page, otherGenre.name).getByRole('button', { name: 'Play', exact: true }).click()
  await expect(nowPlayingBar(page).getByRole('button', { name: 'Pause' })).toBeVisible()

  await panel(page, otherGenre.name).getByRole('button', { name: 'Enter' }).click()
  await expect(page).toHaveURL(`/?microgenre=${otherGenre.id}`)
  await expect(title(page)).toHaveText(song.title)
  await page.goBack()
  await expect(map(page)).toBeVisible()
})

test('@long discover-87: of two presses the last wins, however late the response to the first', async ({
  page,
}) => {
  const next = (id: string) => new RegExp(getNextSong.path.replace(':id', id))
  await openMap(page, ROW_OF_GENRES)
  for (const id of ['1', '2'])
    await page.route(next(id), (route) =>
      route.fulfill({ json: makeSong(`90${id}`, { title: `Song of ${id}`, microgenreId: id }) }),
    )
  const release = await holdResponse(page, next('1'))
  await dot(page, 'dream pop').click()
  await panel(page, 'dream pop').getByRole('button', { name: 'Hear a song' }).click()
  await dot(page, 'slowcore').click()
  await panel(page, 'slowcore').getByRole('button', { name: 'Hear a song' }).click()
  await expect(nowPlayingBar(page)).toContainText('Song of 2')
  const late = page.waitForResponse(next('1')).catch(() => {})
  release()
  await late
  await dot(page, 'dream pop').click()
  await expect(panel(page, 'dream pop').getByRole('button', { name: 'Hear a song' })).toBeVisible()
  await expect(nowPlayingBar(page)).toContainText('Song of 2')
})

test.describe('when there is no song', () => {
  test.use({ expectedErrors: [/status of (500|404)/] })

  test('@long discover-87: the page says what to do', async ({ page }) => {
    await openMap(page, ROW_OF_GENRES)
    const toasts = await recordToasts(page)
    const restore = await failCall(page, getNextSong)
    await dot(page, 'slowcore').click()
    const hear = panel(page, 'slowcore').getByRole('button', { name: 'Hear a song' })
    await hear.click()
    await expect(toast(page)).toContainText('No song of slowcore could be loaded. Please try again.')
    await expect(hear).toBeEnabled()
    await restore()
    await page.route(new RegExp(getNextSong.path.replace(':id', '2')), (route) =>
      route.fulfill({ status: 404, json: { message: 'No more songs' } }),
    )
    await hear.click()
    await expect
      .poll(async () => (await toasts()).join())
      .toContain('You have been through every song of slowcore. Enter it to begin again.')
    await expect(nowPlayingBar(page)).toHaveCount(0)
  })
})

test('@long discover-88: the list has all microgenres by family, with neighbours and both actions', async ({
  page,
  stock,
}) => {
  const otherGenre = await stock(previewSongs(2))
  await mockResponse(page, getMap, [...ROW_OF_GENRES, { ...placeOf(otherGenre, 9), family: 'pop' }])
  await signIn(page, { path: '/microgenres' })
  await page.getByRole('button', { name: 'List' }).click()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['pop', 'rock'])
  const rows = page.getByRole('region', { name: 'rock' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText('3 bangers of 8 rated, 22 songs')
  await expect(rows.first()).toContainText('Guitars in a haze.')
  await expect(rows.first()).toContainText('Near: Japanese city pop, slowcore, noise pop')

  await page.getByRole('button', { name: `Hear a song of ${otherGenre.name}` }).click()
  await expect(nowPlayingBar(page)).toContainText('The Stand-ins')
  await page.getByRole('button', { name: `Enter ${otherGenre.name}` }).click()
  await expect(page).toHaveURL(`/?microgenre=${otherGenre.id}`)
})

test('@long discover-89: listeners share their map as a picture', async ({ page }) => {
  await startSession(page.context())
  await rateSongs(page.request, { banger: 2 })
  await openMap(page, ROW_OF_GENRES)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share your map' })
  await expect(page).toHaveURL(/dialog=share-map/)
  await expect(dialog.getByRole('textbox', { name: 'Text' })).toHaveValue(
    `I have explored 3 of 4 microgenres on Banger or Bust. ${new URL(page.url()).origin}${SUB_PATH}`,
  )
  const picture = dialog.getByRole('img', { name: /^The picture/ })
  await expect(picture).toHaveJSProperty('naturalWidth', 1080)
  await expect(picture).toHaveJSProperty('naturalHeight', 1920)
  await expect(dialog.getByRole('link', { name: 'Download picture' })).toHaveAttribute(
    'href',
    SUB_PATH + getMapStory.path,
  )
})

test('@long discover-90: nothing moves while the microgenres load, and an empty map says when it will be drawn', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await waitForMap(page)
  const release = await holdResponse(page, getMap)
  await signIn(page, { path: '/microgenres' })
  const loading = page.getByText('Loading microgenres...')
  const list = page.getByRole('button', { name: 'List' })
  await expect(loading).toBeVisible()
  const before = [await loading.boundingBox(), await list.boundingBox()]
  release()
  await expect(map(page)).toBeVisible()
  expect([await map(page).locator('..').boundingBox(), await list.boundingBox()]).toEqual(before)

  await mockResponse(page, getMap, [])
  await page.reload()
  await expect(page.getByText(/no microgenres on the map yet. It is drawn within an hour/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Share' })).toHaveCount(0)
})
