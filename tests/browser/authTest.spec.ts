import type { Page } from '@playwright/test'
import { getAuthStatus, testUserCreation } from '../../contract/diagnostics.ts'
import { fact } from './facts.ts'
import { expect, signIn, test } from './fixtures.ts'
import { failCall, mockResponse, SERVER_ERROR } from './mockResponses.ts'
import { toast } from './testSongs.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('diagnostics-1, diagnostics-11, diagnostics-13: the status of signing in, and an account that is made and rolled back', async ({
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

  test('diagnostics-11, diagnostics-13: the page says what, and Refresh Status asks again', async ({
    page,
  }) => {
    const mendStatus = await failCall(page, getAuthStatus)
    const mendTest = await failCall(page, testUserCreation)
    await signIn(page, { path: '/auth-test' })
    await expect(page.getByText('Failed to load auth status')).toBeVisible()
    await button(page, 'Test User Creation').click()
    await expect(toast(page)).toContainText('Test Failed')
    await expect(toast(page)).toContainText('User creation test failed')
    await mendStatus()
    await mendTest()
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
