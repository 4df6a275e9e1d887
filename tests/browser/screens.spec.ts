import type { Locator, Page } from '@playwright/test'
import { listMicrogenres } from '../../contract/discovery.ts'
import type { Microgenre } from '../../contract/shapes.ts'
import { closeWithEscape, stopClock } from './clock.ts'
import { signIn, startSession } from './fixtures.ts'
import { rateSongs } from './listeners.ts'
import { SIZES } from './screenFaults.ts'
import { expect, pad, previewSongs, test, toast, video, videoSongs } from './testSongs.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

/** Phones, a tablet and laptops, as browsers really give them. */
const WINDOWS = [
  [390, 664],
  [360, 672],
  [844, 390],
  [820, 1180],
  [1280, 600],
  [1440, 900],
] as const

test('screens-25: wordmark and heading are in the same place on every page', async ({ page }) => {
  await signIn(page)
  const places: Record<number, Set<string>> = { 390: new Set(), 1440: new Set() }
  for (const path of [
    '/?section=library',
    '/?section=community',
    '/microgenres',
    '/privacy',
    '/fairness',
    '/coverage',
    '/no-such-page',
  ]) {
    await page.goto(path)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toBeVisible()
    for (const [width, found] of Object.entries(places)) {
      await page.setViewportSize({ width: Number(width), height: 700 })
      const [mark, title] = [
        await page.locator('.wordmark:visible').boundingBox(),
        await heading.boundingBox(),
      ]
      // There, the links of operators take a line.
      if (path === '/coverage' && width === '390') continue
      found.add([mark?.x, mark?.y, title?.x, title?.y].join())
    }
  }
  expect(Object.values(places).map(({ size }) => size)).toEqual([1, 1])
})

for (const standard of [24, 32])
  test(`@long screens-17: with a text size of ${standard} in the browser no screen is wider than the window`, async ({
    page,
    stock,
  }) => {
    await stock(previewSongs(2))
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Page.setFontSizes', { fontSizes: { standard } })
    await signIn(page, { rated: { banger: 1 } })
    for (const [place, control] of Object.entries({
      '/': 'Thoughts?',
      '/?section=library': 'Export',
      '/?section=community': 'Your profile',
    })) {
      await page.goto(place)
      for (const [width, height] of WINDOWS) {
        await page.setViewportSize({ width, height })
        await expect(button(page, control), `${place} at ${width}x${height}`).toBeInViewport({ ratio: 1 })
        await expect
          .poll(
            () => page.evaluate(() => document.documentElement.scrollWidth),
            `${place} at ${width}x${height}`,
          )
          .toBe(width)
      }
    }
  })

test('@long screens-17: a video that leaves a dialog no room is paused and hidden until it closes', async ({
  page,
  stock,
}) => {
  await stock(videoSongs(2))
  await page.setViewportSize({ width: 320, height: 256 })
  await signIn(page)
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await button(page, 'Your profile').click()
  const dialog = page.getByRole('dialog', { name: 'Profile' })
  await expect(dialog).toBeVisible()
  await expect(video(page)).toBeHidden()
  await closeWithEscape(dialog)
  await expect(video(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})

test('@long screens-20: switches, the mark of a section, letters and a favourite keep their colours whatever plays', async ({
  page,
}) => {
  const email = await startSession(page.context())
  await rateSongs(page.request, { banger: 1 })
  const [first, second] = (await (await page.request.get(listMicrogenres.path)).json()) as [
    Microgenre,
    Microgenre,
  ]
  const paints = (target: Locator, part?: string) =>
    target.evaluate((element, of) => {
      const { color, backgroundColor, borderBottomColor } = getComputedStyle(element, of)
      return { color, backgroundColor, borderBottomColor }
    }, part)
  const looks = async ({ id, name }: Microgenre) => {
    await signIn(page, { email, path: `/?microgenre=${id}` })
    await expect(button(page, `Currently listening to ${name}`)).toBeVisible()
    const playing = await paints(page.getByRole('main').locator('..'))
    const current = page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current]')
    const fixed = [await paints(current, '::after')]
    await button(page, 'Your profile').click()
    const profile = page.getByRole('dialog', { name: 'Profile' })
    const toggle = profile.getByRole('switch').first()
    if ((await toggle.getAttribute('aria-checked')) === 'false') await toggle.click()
    await expect(toggle).toBeChecked()
    for (const part of await toggle.locator('.switch-track, .switch-thumb').all())
      fixed.push(await paints(part))
    fixed.push(await paints(profile.getByText('L', { exact: true })))
    fixed.push(await paints(profile.getByRole('definition').last()))
    return { playing, fixed }
  }
  const [one, other] = [await looks(first), await looks(second)]
  expect(first.color).not.toBe(second.color)
  expect(other.playing).not.toEqual(one.playing)
  expect(other.fixed).toEqual(one.fixed)
})

test('@long screens-18: with forced colours keys have edges, and pressed or current controls differ', async ({
  page,
  stock,
}) => {
  await stock(videoSongs(1))
  await page.emulateMedia({ forcedColors: 'active' })
  await signIn(page)
  const drawn = (target: Locator, part?: string) =>
    target.evaluate((element, of) => {
      const { backgroundColor, borderTopStyle, borderTopColor } = getComputedStyle(element, of)
      return { backgroundColor, edge: borderTopStyle === 'none' ? null : borderTopColor }
    }, part)
  const canvas = (await drawn(page.locator('body'))).backgroundColor
  for (const name of ['BUST', 'BANGER'] as const) {
    const { edge } = await drawn(pad(page, name))
    expect([null, canvas]).not.toContain(edge)
  }
  const section = (name: string) =>
    page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name })
  const current = await drawn(section('Discover'), '::after')
  const other = await drawn(section('Community'), '::after')
  expect(current.backgroundColor).not.toBe(other.backgroundColor)
  expect(current.backgroundColor).not.toBe(canvas)
  await button(page, 'Your profile').click()
  const toggle = page.getByRole('dialog').getByRole('switch').first()
  await toggle.waitFor()
  const looks = []
  for (let n = 0; n < 2; n++) {
    const [track, thumb] = [
      await drawn(toggle.locator('> :first-child')),
      await drawn(toggle.locator('> :last-child')),
    ]
    expect(thumb.backgroundColor).not.toBe(track.backgroundColor)
    looks.push(track.backgroundColor)
    await toggle.click()
  }
  expect(looks[0]).not.toBe(looks[1])
})

for (const [songs, make] of Object.entries({
  'with a video': videoSongs,
  'without a video @long': previewSongs,
}))
  test(`screens-8: no toast covers a video, a heading, a song or a dialog's way out, ${songs}`, async ({
    page,
    stock,
  }) => {
    await page.clock.install()
    await stock(make(3))
    await signIn(page)
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
    const places: Record<string, () => Promise<unknown>> = {
      Community: () => page.keyboard.press('3'),
      'My Library': () => page.keyboard.press('2'),
      Discover: () => page.keyboard.press('1'),
      'a dialog': () => button(page, 'Your profile').click(),
    }
    // Each once, because nothing loads while the clock is stopped.
    for (const open of Object.values(places)) await open()
    await closeWithEscape(page.getByRole('dialog', { name: 'Profile' }))
    await pad(page, 'BANGER').click()
    await expect(toast(page)).toContainText('First Banger Found!')
    await stopClock(page)
    const covered: string[] = []
    for (const [place, open] of Object.entries(places)) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await open()
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height })
        const coveredParts = await page.evaluate(() => {
          const toast = document.querySelector('[data-toast]')?.getBoundingClientRect()
          if (!toast) throw new Error('The toast has ended.')
          // A dialog lies over headings and words itself.
          const openDialog = document.querySelector('[role=dialog]')
            ? '[data-frame], [role=dialog] h2, [role=dialog] [aria-label="Close"]'
            : '[data-frame], main h1, main h1 + p'
          return [...document.querySelectorAll(openDialog)]
            .filter((element) => {
              const { left, right, top, bottom } = element.getBoundingClientRect()
              const across = Math.min(toast.right, right) - Math.max(toast.left, left)
              const down = Math.min(toast.bottom, bottom) - Math.max(toast.top, top)
              return across > 1 && down > 1
            })
            .map((element) => element.textContent || 'video')
        })
        covered.push(...coveredParts.map((what) => `${what} in ${place} at ${width}x${height}`))
      }
    }
    expect(covered).toEqual([])
  })
