import { expect, signIn, test } from './fixtures.ts'

test('CONST-53: the scrollbar of a dialog goes 600 ms after scrolling has ended', async ({ page }) => {
  await signIn(page)
  await page.getByRole('button', { name: /^Currently listening to/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Discover Your Sound' })
  await expect(dialog.getByRole('button', { name: /acid house/ })).toBeVisible()
  const scrollbar = dialog.locator('[data-orientation="vertical"]').first()
  await expect(scrollbar).toBeHidden()

  await dialog.getByRole('button', { name: /acid house/ }).hover()
  await page.mouse.wheel(0, 400)
  await expect(scrollbar).toBeVisible()
  const ended = Date.now()
  await expect(scrollbar).toBeHidden()
  expect(Date.now() - ended).toBeGreaterThan(300)
})
