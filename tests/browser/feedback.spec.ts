import type { Page } from '@playwright/test'
import { sendFeedback } from '../../contract/feedback.ts'
import { expect, signIn, test } from './fixtures.ts'
import { failCall, holdResponse, SERVER_ERROR } from './mockResponses.ts'
import { toast } from './testSongs.ts'

test.use({ expectedErrors: [SERVER_ERROR] })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share Your Feedback' })
const email = (page: Page) => dialog(page).getByLabel('Email')
const message = (page: Page) => dialog(page).getByLabel('Message')
const send = (page: Page) => dialog(page).getByRole('button', { name: /^Send/ })

async function open(page: Page) {
  await page.getByRole('button', { name: 'Thoughts?' }).click()
  await expect(dialog(page)).toBeVisible()
}

test('people-19, people-20, people-21: feedback is sent trimmed and once, also after a failure, then the form is cleared', async ({
  page,
  app,
}) => {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(sendFeedback.path)) bodies.push(request.postDataJSON())
  })
  const own = await signIn(page)
  await open(page)
  await expect(message(page)).toBeFocused()
  await expect(email(page)).toHaveValue(own)
  await expect(message(page)).toHaveValue('')
  for (const [address, words] of [
    [own, ''],
    [own, '   '],
    ['', 'words'],
    ['  ', 'words'],
  ] as const) {
    await email(page).fill(address)
    await message(page).fill(words)
    await expect(send(page)).toBeDisabled()
  }
  await email(page).fill(`  ${own} `)
  await message(page).fill('  Louder, please. <b>1</b>\n')
  const recover = await failCall(page, sendFeedback)
  await send(page).click()
  await expect(toast(page)).toContainText('Error Sending Feedback')
  await expect(toast(page)).toContainText('There was an issue sending your feedback. Please try again.')
  await expect(message(page)).toHaveValue(/Louder/)
  await recover()
  bodies.length = 0
  const release = await holdResponse(page, sendFeedback)
  await send(page).click()
  await expect(send(page)).toBeDisabled()
  await message(page).press('Control+Enter')
  await email(page).press('Enter')
  release()
  await expect(toast(page)).toContainText('Message Sent!')
  await expect(toast(page)).toContainText("Thank you for your feedback. We'll get back to you soon.")
  await expect(dialog(page)).toBeHidden()
  const words = 'Louder, please. <b>1</b>'
  expect(bodies).toEqual([{ email: own, message: words }])
  const storedRows = await app.db`select message from feedback where email = ${own}`
  expect(storedRows.map((row) => row.message)).toEqual([words])

  await open(page)
  await expect(message(page)).toHaveValue('')
})
