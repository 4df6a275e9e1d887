import type { Page } from '@playwright/test'
import { checkAchievements } from '../../contract/achievements.ts'
import { sendFeedback } from '../../contract/feedback.ts'
import { removeRating } from '../../contract/library.ts'
import { answer, fail, SERVER_ERROR } from './answers.ts'
import { settle, stopClock } from './clock.ts'
import { signIn } from './fixtures.ts'
import { art, expect, pad, previewSongs, test, toast } from './stock.ts'

/* One toast at a time: errors first, and each can be dismissed (community-14). */

test.use({ expectedErrors: [SERVER_ERROR] })

const dismiss = (page: Page) => toast(page).getByRole('button', { name: 'Dismiss' })

const unlocked = ['streak_5', 'streak_10', 'explorer', 'critic'].map((type, n) => ({
  id: String(n + 1),
  type,
  metadata: {},
  createdAt: '2026-11-02T12:00:00Z',
}))

test('an error shows before achievements, which are one toast and return after it', async ({
  page,
  stock,
}) => {
  await page.clock.install()
  await stock(previewSongs(1))
  await answer(page, checkAchievements, unlocked)
  await fail(page, removeRating)
  await signIn(page)
  await expect(art(page, 'Pause')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
  // From now on no toast closes by itself.
  await stopClock(page)
  const achievements = 'Achievement Unlocked!5 Song Streak, 10 Song Streak and 2 more'
  await expect(toast(page)).toHaveText(achievements)
  await answer(page, checkAchievements, [])
  await page.keyboard.press('u')
  await expect(toast(page)).toHaveText('ErrorFailed to undo the rating. Please try again.')

  for (const [width, height] of [
    [390, 664],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    const target = await dismiss(page).boundingBox()
    expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(44)
  }
  await dismiss(page).click()
  await expect(toast(page)).toHaveText(achievements)

  // The header's last button, which a toast on a phone lies over.
  await page.setViewportSize({ width: 390, height: 664 })
  const focused = page.getByRole('button', { name: 'Your profile' })
  await focused.focus()
  const [card, target] = [await toast(page).locator('> *').boundingBox(), await focused.boundingBox()]
  expect(card?.y ?? 0, 'the toast leaves what has the focus').toBeGreaterThan(
    (target?.y ?? 0) + (target?.height ?? 0),
  )
  await page.keyboard.press('Escape')
  await expect(toast(page)).toBeEmpty()
})

test('dismissing an error over a dialog keeps what was typed', async ({ page, stock }) => {
  await page.clock.install()
  await stock(previewSongs(1))
  await fail(page, sendFeedback)
  await signIn(page)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await page.getByRole('button', { name: 'Thoughts?' }).click()
  const message = page.getByLabel('Message')
  await message.fill('Keep me')
  await stopClock(page)
  for (const how of ['button', 'Escape']) {
    await page.getByRole('button', { name: 'Send Feedback' }).click()
    await expect(toast(page)).toContainText('Error Sending Feedback')
    await message.focus()
    if (how === 'button') await dismiss(page).click()
    else await page.keyboard.press('Escape')
    await expect(toast(page)).toBeEmpty()
    await settle(page)
    await expect(message).toHaveValue('Keep me')
    await expect(message).toBeFocused()
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})
