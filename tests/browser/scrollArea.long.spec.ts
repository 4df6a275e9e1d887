import { expect, signIn, test } from './fixtures.ts'

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
