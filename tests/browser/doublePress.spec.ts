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
import { expect, pad, previewSongs, test } from './testSongs.ts'
import { recordToasts } from './toasts.ts'

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
  const said = await recordToasts(page)
  const mend = await failCall(page, endpoint)
  const release = await holdResponse(page, endpoint)
  await expect(button).toBeEnabled()
  await pressTwice(button)
  await expect.poll(sent).toBeGreaterThan(0)
  release()
  await expect.poll(async () => (await said()).join()).toContain(failure)
  expect(sent(), endpoint.path).toBe(1)
  await mend()
  await expect(button).toBeEnabled()
  return sent
}

/** Both kinds: after the failed call, a double click sends one more. */
async function expectOneCallEach(page: Page, button: Locator, endpoint: Endpoint, failure: string) {
  const sent = await expectOneCall(page, button, endpoint, failure)
  const answered = page.waitForResponse(
    (response) =>
      response.request().method() === endpoint.method && urlPattern(endpoint).test(response.url()),
  )
  await button.dblclick()
  expect((await answered).ok()).toBe(true)
  expect(sent(), endpoint.path).toBe(2)
}

test('screens-11: feedback, profile, photo, undo and restart are sent once', async ({ page, stock }) => {
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
