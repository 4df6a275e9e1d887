import type { Page } from '@playwright/test'
import { signIn } from './fixtures.ts'
import { art, expect, pad, previewSongs, test, title } from './testSongs.ts'

/* The end of a preview says what it is (playback-61). */

const words = (page: Page) => page.getByText('That was a 30-second preview')
const whole = (page: Page) => page.getByRole('button', { name: 'Hear the whole song' })
const slider = (page: Page) => page.getByRole('slider', { name: 'Song progress' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Hear it elsewhere' })

async function hearTheEnd(page: Page): Promise<void> {
  await art(page, 'Pause').waitFor()
  await slider(page).press('End')
  await art(page, 'Play').waitFor()
}

test('playback-61, playback-4: a preview says that it was one and leads to the whole song; nothing follows until a rating', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(2))
  await signIn(page)
  await pad(page, 'BANGER').and(page.locator(':enabled')).waitFor()
  await page.keyboard.press('Shift')
  await art(page, 'Pause').waitFor()
  const first = await title(page).innerText()
  await expect(words(page)).toHaveCount(0)
  await expect(whole(page)).toHaveCount(0)
  await hearTheEnd(page)
  await expect(words(page)).toBeVisible()
  await whole(page).click()
  await expect(dialog(page)).toContainText(`${first} by The Stand-ins`)
  await expect(dialog(page).getByRole('link')).toHaveCount(6)
  await page.keyboard.press('Escape')
  await expect(title(page)).toHaveText(first)

  await art(page, 'Play').click()
  await art(page, 'Pause').waitFor()
  await expect(words(page)).toHaveCount(0)
  await expect(whole(page)).toHaveCount(0)
  await hearTheEnd(page)
  await expect(whole(page)).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(whole(page)).toHaveCount(0)
  await expect(title(page)).not.toHaveText(first)
  await expect(words(page)).toHaveCount(0)
})
