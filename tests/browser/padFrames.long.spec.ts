import { expect, openPlaying, pad, previewSongs, test, title } from './testSongs.ts'

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
