import { expect, signIn, test } from './fixtures.ts'

test('screens-10: the scrollbar of a dialog hides 600 ms after scrolling ends', async ({ page }) => {
  await page.clock.install()
  await signIn(page)
  await page.getByRole('button', { name: /^Currently listening to/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Discover Your Sound' })
  await expect(dialog.getByRole('button', { name: /acid house/ })).toBeVisible()
  const scrollbar = dialog.locator('[data-orientation="vertical"]').first()
  const viewport = dialog.locator('[data-radix-scroll-area-viewport]')
  await expect(scrollbar).toBeHidden()

  await dialog.getByRole('button', { name: /acid house/ }).hover()
  // The clock is stopped, so the scrollbar waits for the test.
  await page.clock.pauseAt(Date.now() + 10_000)
  await page.mouse.wheel(0, 400)
  await expect.poll(() => viewport.evaluate(({ scrollTop }) => scrollTop)).toBe(400)
  await expect(scrollbar).toBeVisible()
  await page.clock.runFor(590)
  await expect(scrollbar).toBeVisible()
  const step = async () => {
    await page.clock.runFor(50)
    return scrollbar.isVisible()
  }
  await expect.poll(step, { intervals: [50] }).toBe(false)
})
