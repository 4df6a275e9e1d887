import type { Page } from '@playwright/test'
import { expect, newEmail, test } from './fixtures.ts'

/** The cover of a song, but not of one whose title merely ends with the same words. */
const sleeve = (page: Page, song: string) =>
  page
    .getByRole('list', { name: 'Your bangers' })
    .getByRole('button', { name: new RegExp(`^${literal(song)} by `) })

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

test('a new listener signs in, rates four songs with the arrow keys and finds the bangers', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Discover Music Like Never Before' })).toBeVisible()
  await page.getByRole('button', { name: 'Get Started' }).click()
  await page.getByLabel('E-mail').fill(` ${newEmail().toUpperCase()} `)
  await page.getByRole('button', { name: /magic link/i }).click()
  await page.getByRole('link', { name: /\/sign-in\/link/ }).click()
  await page.getByRole('button', { name: 'Skip for now' }).click()

  const title = page.getByRole('main').getByRole('heading', { level: 1 })
  const bangers: string[] = []
  for (let i = 0; i < 4; i++) {
    await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeEnabled()
    const song = (await title.textContent()) ?? ''
    const banger = i !== 0
    if (banger) bangers.push(song)
    await page.keyboard.press(banger ? 'ArrowRight' : 'ArrowLeft')
    await expect(title).not.toHaveText(song)
  }
  await expect(page.getByRole('button', { name: /^Bangers/ })).toHaveText(/^Bangers\s*3$/)

  await page.keyboard.press('2')
  for (const song of bangers) await expect(sleeve(page, song)).toBeVisible()
})
