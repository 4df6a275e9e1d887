import type { Page } from '@playwright/test'
import { getCoverage } from '../../contract/coverage.ts'
import { getAuthStatus, testUserCreation } from '../../contract/diagnostics.ts'
import { contactOperator, sendFeedback } from '../../contract/feedback.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { expect, signIn, test } from './fixtures.ts'
import { failCall, mockResponse, SERVER_ERROR } from './mockResponses.ts'
import { toast } from './testSongs.ts'
import { fact } from './toasts.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('diagnostics-1, diagnostics-11, diagnostics-13: the page shows the sign-in status, and creates an account and rolls it back', async ({
  page,
  app,
}) => {
  await signIn(page, { path: '/auth-test' })
  const count = async () => {
    const [row] = await app.db<{ users: number; sessions: number }[]>`
      select (select count(*)::int from users) as users, (select count(*)::int from sessions) as sessions`
    return row
  }
  const before = await count()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Authentication Testing Center')
  for (const [name, text] of Object.entries({
    Database: 'connected',
    Users: String(before?.users),
    'Auth provider \\(Replit\\)': 'not configured',
    Google: 'configured',
    Facebook: 'configured',
    'OpenID provider': 'not configured',
    'E-mail links': 'not configured',
    Passkeys: 'configured',
    Registration: 'open',
    Environment: 'development',
    'Login endpoint': '/api/login',
    'Callback endpoint': '/api/callback',
    'User endpoint': '/api/auth/user',
  }))
    await expect(fact(page, name), name).toHaveText(text)
  await expect(
    page.getByRole('region', { name: 'How an account is made' }).getByRole('listitem').locator('b'),
  ).toHaveText([
    'Login redirect',
    'Provider authentication',
    'Callback',
    'User record created or updated',
    'Access granted',
  ])
  await button(page, 'Test User Creation').click()
  await expect(page.getByText('Tests Passed')).toBeVisible()
  for (const name of ['User creation', 'Auth flow', 'Overall'])
    await expect(fact(page, name)).toHaveText('passed')
  expect(await count()).toEqual(before)
})

test.describe('when something fails', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('diagnostics-11, diagnostics-13: the page names the failure, and Refresh Status retries', async ({
    page,
  }) => {
    const restoreStatus = await failCall(page, getAuthStatus)
    const restoreTest = await failCall(page, testUserCreation)
    await signIn(page, { path: '/auth-test' })
    await expect(page.getByText('Failed to load auth status')).toBeVisible()
    await button(page, 'Test User Creation').click()
    await expect(toast(page)).toContainText('Test Failed')
    await expect(toast(page)).toContainText('User creation test failed')
    await restoreStatus()
    await restoreTest()
    await mockResponse(page, testUserCreation, {
      userCreation: 'passed',
      authFlow: 'failed',
      overall: 'failed',
      timestamp: '2026-03-04T05:06:07.000Z',
    })
    await button(page, 'Refresh Status').click()
    await expect(fact(page, 'Database')).toHaveText('connected')
    await button(page, 'Test User Creation').click()
    await expect(page.getByText('Tests Failed')).toBeVisible()
    await expect(fact(page, 'User creation')).toHaveText('passed')
    await expect(fact(page, 'Auth flow')).toHaveText('failed')
    await expect(fact(page, 'Time').getByRole('time')).toHaveAttribute('datetime', '2026-03-04T05:06:07.000Z')
  })
})

const NO_COUNTS = { songs: 10, identified: 0, withVideo: 0, withPreview: 0, withSpotify: 0, heardByNobody: 0 }
const COVERAGE = {
  videos: {
    unproven: 2,
    plays: 6,
    notEmbeddable: 1,
    gone: 1,
    checkedLately: 8,
    diedLately: 1,
    diedBefore: 1234,
  },
  all: { ...NO_COUNTS, songs: 30, identified: 3, withVideo: 13, withPreview: 20, heardByNobody: 11 },
  microgenres: [
    {
      ...NO_COUNTS,
      microgenre: 'Acid House',
      identified: 3,
      withVideo: 9,
      withPreview: 10,
      heardByNobody: 1,
    },
    { ...NO_COUNTS, microgenre: 'Atmospheric Drum and Bass', withVideo: 4, heardByNobody: 0 },
    { ...NO_COUNTS, microgenre: 'Zydeco', withPreview: 10, heardByNobody: 10 },
  ],
}

const names = (page: Page) => page.getByRole('rowheader')

test('diagnostics-25, diagnostics-26, diagnostics-27: the coverage shows on phone and desktop, the worst first by any column', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await mockResponse(page, getCoverage, COVERAGE)
  await signIn(page, { path: '/verification' })
  const pages = page.getByRole('navigation', { name: 'Diagnostics' })
  await pages.getByRole('link', { name: 'Coverage' }).click()
  await expect(page).toHaveURL('/coverage')
  await expect(names(page)).toHaveText(['All', 'Zydeco', 'Atmospheric Drum and Bass', 'Acid House'])
  await expect(page.getByRole('columnheader', { name: 'Video' })).toHaveAttribute('aria-sort', 'ascending')
  const house = page.getByRole('row', { name: 'Acid House' }).getByRole('cell')
  await expect(house).toHaveText(['10', '30%', '90%', '100%', '0%', '10%'], { useInnerText: true })
  await page.setViewportSize({ width: 1440, height: 900 })
  const figures = ['10', '3 · 30%', '9 · 90%', '10 · 100%', '0 · 0%', '1 · 10%']
  await expect(house).toHaveText(figures, { useInnerText: true })

  await expect(
    page.getByText(
      'Of 10 videos 6 (60%) play, 2 (20%) are unproven, 1 (10%) cannot be embedded, 1 (10%) are gone. ' +
        'In the last 30 days 8 were checked and 1 found dead, 1,234 in the 30 days before.',
    ),
  ).toBeVisible()

  const order = page.getByRole('combobox', { name: 'Worst first by' })
  await order.selectOption('Preview')
  await expect(names(page)).toHaveText(['All', 'Atmospheric Drum and Bass', 'Acid House', 'Zydeco'])
  await order.selectOption('Heard by nobody')
  await expect(names(page)).toHaveText(['All', 'Zydeco', 'Acid House', 'Atmospheric Drum and Bass'])
})

const rows = (page: Page) => page.getByRole('list', { name: 'Feedback' }).getByRole('listitem')

test('diagnostics-22, people-24: the page lists feedback of listeners and visitors, newest first, linked from the other pages', async ({
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
