import type { Page } from '@playwright/test'
import { achievementName, checkAchievements } from '../../contract/achievements.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { sendFeedback } from '../../contract/feedback.ts'
import { removeRating } from '../../contract/library.ts'
import { searchPreview } from '../../contract/playback.ts'
import { settle, stopClock } from './clock.ts'
import { failCall, holdResponse, mockResponse, SERVER_ERROR } from './mockResponses.ts'
import { sizesOr } from './screenFaults.ts'
import { expect, openDiscover, openPlaying, pad, previewSongs, test, toast, videoSongs } from './testSongs.ts'

/* One toast at a time: errors first, and each can be dismissed (community-14). */

test.use({ expectedErrors: [SERVER_ERROR] })

const dismiss = (page: Page) => toast(page).getByRole('button', { name: 'Dismiss' })

const unlocked = ['streak_5', 'streak_10', 'explorer', 'critic'].map((type, n) => ({
  id: String(n + 1),
  type,
  metadata: {},
  createdAt: '2026-11-02T12:00:00Z',
}))

test('an error shows before achievements, which return after it, all of them named', async ({
  page,
  stock,
}) => {
  await page.clock.install()
  await stock(previewSongs(1))
  await mockResponse(page, checkAchievements, unlocked)
  await failCall(page, removeRating)
  await openPlaying(page)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
  // From now on no toast closes by itself.
  await stopClock(page)
  await expect(toast(page)).toHaveText('Achievement Unlocked!5 Song Streak')
  await mockResponse(page, checkAchievements, [])
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
  const names = unlocked.map(({ type }) => achievementName(type))
  for (const name of names) {
    await expect(toast(page)).toHaveText(`Achievement Unlocked!${name}`)
    if (name !== names.at(-1)) await dismiss(page).click()
  }

  // A toast on a phone lies over the header.
  await page.setViewportSize({ width: 390, height: 664 })
  const nav = page.getByRole('navigation', { name: 'Sections' })
  for (const focused of [
    page.getByRole('button', { name: 'Your profile' }),
    nav.getByRole('button').first(),
    page.getByRole('button', { name: 'Your profile' }),
    page.getByRole('button', { name: 'Restart This Microgenre' }),
  ]) {
    await focused.focus()
    const [card, target] = [await toast(page).locator('> *').boundingBox(), await focused.boundingBox()]
    const isApart =
      (card?.y ?? 0) > (target?.y ?? 0) + (target?.height ?? 0) ||
      (card?.y ?? 0) + (card?.height ?? 0) < (target?.y ?? 0)
    expect(isApart, 'the toast leaves what has the focus').toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(toast(page)).toBeEmpty()
})

test('@long dismissing an error over a dialog keeps the typed text', async ({ page, stock }) => {
  await page.clock.install()
  await stock(previewSongs(1))
  await failCall(page, sendFeedback)
  await openDiscover(page)
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

/** Phones on their side and upright, a tablet, and desktops. */
const SCREENS = sizesOr([
  [844, 390],
  [667, 375],
  [568, 320],
  [740, 360],
  [932, 430],
  [390, 664],
  [375, 553],
  [360, 672],
  [320, 568],
  [820, 1180],
  [800, 600],
  [1024, 640],
  [1280, 600],
  [1440, 900],
])

for (const [songs, make] of Object.entries({
  'with a video': videoSongs,
  'without a video @long': previewSongs,
}))
  test(`screens-8: a toast covers no control of the stage, ${songs}`, async ({ page, stock }) => {
    await page.clock.install()
    await stock(make(2))
    await openPlaying(page)
    await pad(page, 'BUST').click()
    await expect(page.getByRole('button', { name: 'Undo' }).first()).toBeVisible()
    await failCall(page, rateAndAdvance)
    await expect(pad(page, 'BANGER')).toBeEnabled()
    await pad(page, 'BANGER').click()
    await expect(toast(page)).toContainText('Failed to rate song.')
    await stopClock(page)
    expect(await findCovered(page, SCREENS)).toEqual([])
  })

test('@long screens-8: the longest toast of the player covers no control of the stage', async ({
  page,
  stock,
  app,
}) => {
  await page.clock.install()
  app.deezer.answer('nothing')
  await stock(previewSongs(1))
  const release = await holdResponse(page, searchPreview)
  await openDiscover(page)
  await stopClock(page)
  release()
  await expect(toast(page)).toContainText('No Audio Available')
  expect(await findCovered(page, SCREENS)).toEqual([])
})

/** The elements that the toast wrongly covers, at each size. */
async function findCovered(page: Page, screens: readonly (readonly [number, number])[]): Promise<string[]> {
  const covered: string[] = []
  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height })
    await settle(page)
    const coveredParts = await page.evaluate(() => {
      const card = document.querySelector('[data-toast]')?.getBoundingClientRect()
      if (!card) throw new Error('The toast has ended.')
      // On a phone upright and in a low window of a laptop it lies over the header, else beside its links.
      const isOverHeader =
        innerHeight >= 480 && (innerWidth < 720 || (innerWidth > innerHeight && innerWidth < 1200))
      const links = isOverHeader ? '' : ', header nav button'
      const selector = `[data-frame], main :is(button, a, [role=slider], input, h1, h1 + p, .reveal-line)${links}`
      const words = document.querySelector('.toast-text')?.getBoundingClientRect() ?? card
      const isTight = words.top - card.top < 3 || card.bottom - words.bottom < 3
      const covered = [...document.querySelectorAll(selector)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .filter((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect()
          const across = Math.min(card.right, right) - Math.max(card.left, left)
          return across > 1 && Math.min(card.bottom, bottom) - Math.max(card.top, top) > 1
        })
        .map((element) => element.getAttribute('aria-label') ?? element.textContent)
      return isTight ? [...covered, 'its own edges'] : covered
    })
    covered.push(...coveredParts.map((what) => `${what} at ${width}x${height}`))
  }
  return covered
}
