import type { Page } from '@playwright/test'
import { contactOperator, sendFeedback } from '../../contract/feedback.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { expect, signIn, test } from './fixtures.ts'

const rows = (page: Page) => page.getByRole('list', { name: 'Feedback' }).getByRole('listitem')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('diagnostics-22, people-24: what listeners and visitors wrote, newest first, linked from the other pages', async ({
  page,
  app,
}) => {
  await app.db`delete from feedback`
  const email = await signIn(page, { path: '/auth-test' })
  await page.request.post(contactOperator.path, { data: { email: 'visitor@example.org', message: 'Older' } })
  await page.request.post(sendFeedback.path, { data: { email, message: 'Newer\n<b>1</b>' } })
  await app.db`update feedback set user_id = null, mailed_at = now() where message = 'Older'`
  await page.getByRole('navigation', { name: 'Diagnostics' }).getByRole('link', { name: 'Feedback' }).click()
  await expect(page).toHaveURL('/feedback')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Feedback')
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).nth(0)).toContainText('Newer\n<b>1</b>', { useInnerText: true })
  await expect(rows(page).nth(0).getByRole('link')).toHaveAttribute('href', `mailto:${email}`)
  await expect(rows(page).nth(1)).toContainText(
    /without an account.*mailed to you.*visitor@example\.org.*Older/,
  )
  await expect(button(page, 'Newer')).toBeDisabled()
  await expect(button(page, 'Older')).toBeDisabled()

  await page.request.put(updateProfile.path, { data: { emailOptOut: true } })
  await page.reload()
  await expect(rows(page).nth(0)).toContainText('A listener who wants no e-mails')
  await expect(rows(page).nth(0).getByRole('link')).toHaveCount(0)
})
