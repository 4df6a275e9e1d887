import { signIn } from './fixtures.ts'
import { expect, openPlaying, pad, previewSongs, test, title } from './testSongs.ts'

test('screens-10: the scrollbar of a dialog hides 600 ms after scrolling ends', async ({ page }) => {
  await page.clock.install()
  await signIn(page)
  await page.getByRole('button', { name: /^Currently listening to/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Discover Your Sound' })
  await expect(dialog.getByRole('button', { name: /acid house/ })).toBeVisible()
  const area = dialog.locator('.scroll-area')
  // The browser draws the scrollbar; its thumb has the first colour.
  const isShown = () =>
    area.evaluate((one) => !getComputedStyle(one).scrollbarColor.startsWith('rgba(0, 0, 0, 0)'))
  expect(await isShown()).toBe(false)

  await dialog.getByRole('button', { name: /acid house/ }).hover()
  // The clock is stopped, so the scrollbar waits for the test.
  await page.clock.pauseAt(Date.now() + 10_000)
  await page.mouse.wheel(0, 400)
  await expect.poll(() => area.evaluate(({ scrollTop }) => scrollTop)).toBe(400)
  await expect.poll(isShown).toBe(true)
  await page.clock.runFor(590)
  expect(await isShown()).toBe(true)
  const step = async () => {
    await page.clock.runFor(50)
    return isShown()
  }
  await expect.poll(step, { intervals: [50] }).toBe(false)
})

test('discover-10: a press lights its pad a frame before the rest of the page changes', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(3))
  await openPlaying(page)
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
  await openPlaying(page)
  const ready = await page.evaluateHandle(() => {
    const titles: (string | null)[] = []
    const pad = document.querySelector('[aria-label=BANGER]')
    const watch = () => {
      if (!pad?.hasAttribute('disabled')) titles.push(document.querySelector('main h1')?.textContent ?? null)
    }
    if (pad) new MutationObserver(watch).observe(pad, { attributes: true, attributeFilter: ['disabled'] })
    return titles
  })
  const headings: string[] = []
  for (let rated = 1; rated <= 4; rated++) {
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => ready.evaluate((titles) => titles.length)).toBe(rated)
    headings.push((await title(page).textContent()) ?? '')
  }
  expect(await ready.jsonValue()).toEqual(headings)
  expect(new Set(headings).size).toBe(4)
  expect(headings).not.toContain('Loading next song...')
})

/** The pages for operators. */
const PAGES = ['/verification', '/auth-test', '/youtube-optimization', '/coverage', '/feedback', '/admin']

for (const width of [1440, 1920])
  test(`diagnostics-24: at ${width} px the pages use the width of the screen`, async ({ page, app }) => {
    await app.db`insert into feedback (email, message) select 'v@example.org', 'Wide' from generate_series(1, 4)`
    await page.setViewportSize({ width, height: 1080 })
    await signIn(page, { path: '/verification' })
    for (const path of PAGES) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (path === '/coverage') await expect(page.getByRole('table')).toBeVisible()
      if (path === '/feedback' || path === '/admin')
        await expect(page.getByRole('listitem')).not.toHaveCount(0)
      const edges = await page.getByRole('main').evaluate((main) => {
        const boxes = [...main.querySelectorAll('section, li, [role=progressbar], dl, table')].map((part) =>
          part.getBoundingClientRect(),
        )
        return {
          left: Math.min(...boxes.map((box) => box.left)),
          right: Math.max(...boxes.map((box) => box.right)),
        }
      })
      expect(edges.right - edges.left, path).toBeGreaterThan(width * 0.9)
    }
  })
