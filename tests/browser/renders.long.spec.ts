import type { Page } from '@playwright/test'
import { settle } from './clock.ts'
import { signIn } from './fixtures.ts'
import { takeRenders, watchRenders } from './renders.ts'
import { art, expect, pad, previewSongs, test, title } from './stock.ts'

test('playback and ratings draw again what shows them, and leave the rest of the main screen alone', async ({
  page,
  stock,
}) => {
  await watchRenders(page, {
    header: 'header',
    pad: '[aria-label=BUST]',
    title: 'main h1',
    record: '[aria-keyshortcuts=Space]',
  })
  await stock(previewSongs(3))
  await signIn(page)
  await expect(art(page, 'Pause')).toBeVisible()
  await takeRenders(page)

  await page.keyboard.press('Space')
  await expect(art(page, 'Play')).toBeVisible()
  // The player says that it paused after the art has said so.
  await page.waitForFunction(() => document.querySelector('audio')?.paused)
  await settle(page)
  const paused = await takeRenders(page)
  expect(paused.record).toBeGreaterThan(0)
  expect(paused).toEqual({ record: paused.record })
  const volume = page.getByRole('main').getByRole('slider', { name: 'Volume' })
  await volume.fill('35')
  await expect(volume).toHaveValue('35')
  expect(await takeRenders(page)).toEqual({})
  await volume.blur()

  const song = (await title(page).textContent()) ?? ''
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: /1\s*Bangers$/ })).toBeVisible()
  await expect(pad(page, 'BUST')).toBeEnabled()
  await expect(title(page)).not.toHaveText(song)
  const rated = await takeRenders(page)
  expect(rated.header ?? 0).toBe(0)
  // Disabled and enabled; one song, none, and the next.
  expect(rated).toMatchObject({ pad: 2, title: 2 })
})

/** The press, what leaves, the counters, the reveal, the end of the verdict, the next song. */
const MOST_COMMITS = 6

for (const [width, height] of [
  [1440, 900],
  [390, 664],
] as const)
  test(`at ${width}×${height} a usual rating renders six times until the next song is there`, async ({
    page,
    stock,
  }) => {
    await page.setViewportSize({ width, height })
    await page.addInitScript(watchCommits)
    await stock(previewSongs(8))
    await signIn(page)
    const counts: number[] = []
    for (let n = 0; n < 5; n++) {
      await expect(art(page, 'Pause')).toBeVisible()
      await expect(pad(page, 'BANGER')).toBeEnabled()
      const song = (await title(page).textContent()) ?? ''
      const before = (await titlesSince(page, 0)).length
      await page.keyboard.press('ArrowRight')
      await expect(title(page)).not.toHaveText(song)
      await expect(title(page)).not.toHaveText('Loading next song...')
      const titles = await titlesSince(page, before)
      counts.push(1 + titles.findIndex((shown) => ![song, 'Loading next song...'].includes(shown)))
    }
    // Toasts that come or go meanwhile render, too.
    const usual = Math.min(...counts)
    expect(usual, counts.join()).toBeGreaterThan(0)
    expect(usual, counts.join()).toBeLessThanOrEqual(MOST_COMMITS)
  })

/** Runs in the page: keeps the title after each rendering, which React tells its developer tools in any build. */
function watchCommits(): void {
  const titles: string[] = []
  Object.assign(window, {
    titles,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: () => titles.push(document.querySelector('main h1')?.textContent ?? ''),
      onPostCommitFiberRoot() {},
      onCommitFiberUnmount() {},
    },
  })
}

/** The title after each rendering, from this one on. */
const titlesSince = (page: Page, first: number): Promise<string[]> =>
  page.evaluate((n) => (window as unknown as { titles: string[] }).titles.slice(n), first)

test('discover-10: a press lights its pad a frame before the rest of the page changes', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(3))
  await signIn(page)
  await expect(art(page, 'Pause')).toBeVisible()
  const changes = await page.evaluateHandle(() => {
    const frames: { pad?: number; record?: number } = {}
    let frame = 0
    requestAnimationFrame(function count() {
      frame += 1
      requestAnimationFrame(count)
    })
    const parts = { pad: '[aria-label=BANGER]', record: '[aria-keyshortcuts=Space]' } as const
    for (const [name, selector] of Object.entries(parts)) {
      const part = document.querySelector(selector)
      if (!part) continue
      const watch = () => {
        frames[name as keyof typeof parts] ??= frame
      }
      new MutationObserver(watch).observe(part, { attributes: true, childList: true, subtree: true })
    }
    return frames
  })
  await page.keyboard.press('ArrowRight')
  await expect(pad(page, 'BANGER')).toBeDisabled()
  await expect.poll(() => changes.evaluate(({ record }) => record)).toBeDefined()
  const { pad: lit = 0, record = 0 } = await changes.jsonValue()
  expect(record).toBeGreaterThan(lit)
})

test('discover-10: the pads are ready again when the next song is on screen, never before', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(6))
  await signIn(page)
  await expect(art(page, 'Pause')).toBeVisible()
  const ready = await page.evaluateHandle(() => {
    const titles: (string | null)[] = []
    const pad = document.querySelector('[aria-label=BANGER]')
    const watch = () => {
      if (!pad?.hasAttribute('disabled')) titles.push(document.querySelector('main h1')?.textContent ?? null)
    }
    if (pad) new MutationObserver(watch).observe(pad, { attributes: true, attributeFilter: ['disabled'] })
    return titles
  })
  const shown: string[] = []
  for (let rated = 1; rated <= 4; rated++) {
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => ready.evaluate((titles) => titles.length)).toBe(rated)
    shown.push((await title(page).textContent()) ?? '')
  }
  expect(await ready.jsonValue()).toEqual(shown)
  expect(new Set(shown).size).toBe(4)
  expect(shown).not.toContain('Loading next song...')
})
