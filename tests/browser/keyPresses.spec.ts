import type { Locator, Page } from '@playwright/test'
import { checkAchievements } from '../../contract/achievements.ts'
import { mockResponse } from './mockResponses.ts'
import {
  art,
  expect,
  genre,
  openPlaying,
  pad,
  picker,
  previewSongs,
  test,
  title,
  video,
  videoSongs,
  watchRatings,
} from './testSongs.ts'
import { recordToasts } from './toasts.ts'

/* Keys do what the screen says, whatever was clicked or touched before (screens-6). */

const slider = (page: Page) => page.getByRole('main').getByRole('slider', { name: 'Volume' })

/** Presses the key with repeats, as a slow hand does. */
async function holdKey(page: Page, key: string): Promise<void> {
  for (let n = 0; n < 3; n++) await page.keyboard.down(key)
  await page.keyboard.up(key)
}

/** Moves the focus there with Tab. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Tab')
    expect(await control.evaluate((element) => element === document.activeElement)).toBe(true)
  }).toPass({ intervals: [0] })
}

test('Space, arrows and digits keep their meaning after a click on a slider; a control reached by Tab keeps the keys that it needs', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(3))
  const rated = watchRatings(page)
  await openPlaying(page)

  await slider(page).click()
  const volume = await slider(page).inputValue()
  await holdKey(page, 'Space')
  await expect(art(page, 'Play')).toBeVisible()
  await slider(page).click()
  await page.keyboard.press('2')
  await expect(title(page)).toHaveText('My Library')
  await page.keyboard.press('1')
  await expect(pad(page, 'BANGER')).toBeVisible()
  await slider(page).click()
  await holdKey(page, 'ArrowRight')
  await expect(pad(page, 'BANGER')).toBeDisabled()
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await expect(slider(page)).toHaveValue(volume)
  expect(rated).toHaveLength(1)

  await expect(art(page, 'Pause')).toBeVisible()
  await tabTo(page, genre(page))
  await page.keyboard.press('Space')
  await expect(picker(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(picker(page)).toBeHidden()
  await tabTo(page, slider(page))
  await page.keyboard.press('ArrowLeft')
  await expect(slider(page)).toHaveValue(String(Number(volume) - 5))
  await page.keyboard.press('Space')
  await expect(art(page, 'Play')).toBeVisible()
  await page.keyboard.press('2')
  await expect(title(page)).toHaveText('My Library')
  await page.keyboard.press('1')
  expect(rated).toHaveLength(1)
  await tabTo(page, pad(page, 'BANGER'))
  await page.keyboard.press('Space')
  await expect.poll(() => rated.length).toBe(2)
})

test.describe('the video', () => {
  const focusedElement = (page: Page) => page.evaluate(() => document.activeElement?.tagName)

  /** Moves the pointer over the page, and returns the focused element. */
  async function leave(page: Page) {
    await title(page).hover()
    await genre(page).hover()
    return focusedElement(page)
  }

  test('returns the focus at once after a click, and shows a message where it cannot', async ({
    page,
    stock,
  }) => {
    await stock(videoSongs(2))
    // Otherwise their toast would come first.
    await mockResponse(page, checkAchievements, [])
    const rated = watchRatings(page)
    await openPlaying(page)
    // The pointer stays in the video, which gets the click.
    await video(page).click()
    await expect.poll(() => focusedElement(page)).toBe('MAIN')
    await page.keyboard.press('2')
    await expect(title(page)).toHaveText('My Library')
    await page.keyboard.press('1')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => rated.length).toBe(1)
    await expect(pad(page, 'BANGER')).toBeEnabled()

    // Simulates a browser that leaves the focus in the frame.
    await page.evaluate(() => {
      HTMLElement.prototype.focus = () => {}
    })
    const said = await recordToasts(page)
    const aboutKeys = async () =>
      (await said()).filter((words) => words.startsWith('The video has the keyboard focus'))
    for (let n = 0; n < 2; n++) {
      await video(page).click()
      await expect.poll(() => focusedElement(page)).toBe('IFRAME')
      const told = () => leave(page).then(aboutKeys)
      await expect.poll(told).toHaveLength(1)
      // So that the same message would be a new toast.
      const dismiss = page.getByRole('button', { name: 'Dismiss' })
      if (n === 0) await dismiss.click()
      await expect(dismiss).toBeHidden()
    }
  })

  test('@long keeps the focus when it was reached by Tab', async ({ page, stock }) => {
    await stock(videoSongs(1))
    await openPlaying(page)
    await page.keyboard.down('Tab')
    await page.getByTitle('YouTube video player').focus()
    expect(await leave(page)).toBe('IFRAME')
  })
})
