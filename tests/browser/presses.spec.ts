import type { Locator, Page } from '@playwright/test'
import { checkAchievements } from '../../contract/achievements.ts'
import { restartMicrogenre } from '../../contract/discovery.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { sendFeedback } from '../../contract/feedback.ts'
import { removeRating } from '../../contract/library.ts'
import { follow, updateProfile } from '../../contract/profiles.ts'
import { removePhoto, requestPhotoUpload, setPhoto } from '../../contract/uploads.ts'
import { makeFiles } from './files.ts'
import { signIn } from './fixtures.ts'
import { makeListener } from './listeners.ts'
import { failCall, holdResponse, mockResponse, SERVER_ERROR, urlPattern } from './mockResponses.ts'
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
  async function movePointerAway(page: Page) {
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
    const toastTexts = await recordToasts(page)
    const aboutKeys = async () =>
      (await toastTexts()).filter((words) => words.startsWith('The video has the keyboard focus'))
    for (let n = 0; n < 2; n++) {
      await video(page).click()
      await expect.poll(() => focusedElement(page)).toBe('IFRAME')
      const keyHint = () => movePointerAway(page).then(aboutKeys)
      await expect.poll(keyHint).toHaveLength(1)
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
    expect(await movePointerAway(page)).toBe('IFRAME')
  })
})

test.describe('a second press', () => {
  /* A double press sends one call: both as two clicks in one task, and as a double click. */

  test.use({ expectedErrors: [SERVER_ERROR] })

  /** Counts the page's requests to an endpoint. */
  function countCalls(page: Page, endpoint: Endpoint): () => number {
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === endpoint.method && urlPattern(endpoint).test(request.url())) sent += 1
    })
    return () => sent
  }

  /** Two clicks without a frame between them. */
  const pressTwice = (button: Locator) =>
    button.evaluate((element: HTMLElement) => {
      element.click()
      element.click()
    })

  /** Two clicks in one task send one call, which fails and shows `failure`. */
  async function expectOneCall(page: Page, button: Locator, endpoint: Endpoint, failure: string) {
    const sent = countCalls(page, endpoint)
    const toastTexts = await recordToasts(page)
    const restore = await failCall(page, endpoint)
    const release = await holdResponse(page, endpoint)
    await expect(button).toBeEnabled()
    await pressTwice(button)
    await expect.poll(sent).toBeGreaterThan(0)
    release()
    await expect.poll(async () => (await toastTexts()).join()).toContain(failure)
    expect(sent(), endpoint.path).toBe(1)
    await restore()
    await expect(button).toBeEnabled()
    return sent
  }

  /** Both kinds: after the failed call, a double click sends one more. */
  async function expectOneCallEach(page: Page, button: Locator, endpoint: Endpoint, failure: string) {
    const sent = await expectOneCall(page, button, endpoint, failure)
    const response = page.waitForResponse(
      (response) =>
        response.request().method() === endpoint.method && urlPattern(endpoint).test(response.url()),
    )
    await button.dblclick()
    expect((await response).ok()).toBe(true)
    expect(sent(), endpoint.path).toBe(2)
  }

  test('screens-11: a double press sends feedback, profile, photo, undo and restart once', async ({
    page,
    stock,
  }) => {
    await stock(previewSongs(1))
    await mockResponse(page, checkAchievements, [])
    await signIn(page)
    await page.getByRole('button', { name: 'Thoughts?' }).click()
    await page.getByLabel('Message').fill('Twice?')
    const send = page.getByRole('button', { name: 'Send Feedback' })
    await expectOneCallEach(page, send, sendFeedback, 'There was an issue sending your feedback.')
    await expect(page.getByRole('dialog')).toBeHidden()

    await page.getByRole('button', { name: 'Your profile' }).click()
    const save = page.getByRole('button', { name: 'Save' })
    await expectOneCallEach(page, save, updateProfile, 'Failed to update profile.')

    const files = await makeFiles()
    const photoCalls = [countCalls(page, requestPhotoUpload), countCalls(page, setPhoto)]
    await page.getByRole('button', { name: 'Change photo' }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'browse files' }).click()
    await (await chooser).setFiles(await files.photo())
    const saved = page.waitForResponse(urlPattern(setPhoto))
    await pressTwice(page.getByRole('button', { name: 'Save', exact: true }))
    await saved
    expect(photoCalls.map((calls) => calls())).toEqual([1, 1])
    await files.remove()
    await expect(page.getByRole('dialog', { name: 'Profile photo' })).toBeHidden()
    const remove = page.getByRole('button', { name: 'Remove photo' })
    await expectOneCallEach(page, remove, removePhoto, 'Failed to update profile photo.')
    // While the error is on screen, Escape would dismiss the toast instead of the dialog.
    await expect(page.getByText('Your photo is removed.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()

    await expect(pad(page, 'BANGER')).toBeEnabled()
    await page.keyboard.press('ArrowRight')
    const undo = page.getByRole('button', { name: 'Undo', exact: true })
    await expect(undo).toBeVisible()
    await expectOneCall(page, undo, removeRating, 'Failed to undo the rating.')
    const restart = page.getByRole('button', { name: /^Restart/ })
    await expectOneCallEach(page, restart, restartMicrogenre, 'Failed to restart microgenre.')
  })

  test('@long a follow is sent once, and the second click of a double click does not unfollow', async ({
    page,
  }) => {
    const firstName = `Twice${process.pid}`
    await makeListener({ firstName, isPublic: true })
    await signIn(page)
    await page.getByRole('button', { name: 'Discover Music Explorers' }).click()
    await page.getByRole('searchbox').fill(firstName)
    await page.getByRole('listitem').getByRole('button').first().click()
    const button = page.getByRole('button', { name: /^Follow/ })
    await expectOneCall(page, button, follow, 'Failed to update follow status.')

    await button.hover()
    await page.mouse.down()
    await page.mouse.up()
    await expect(button).toHaveText('Following')
    await expect(button).toBeEnabled()
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await expect(button).toHaveText('Following')
    await expect(button).toBeEnabled()
  })
})
