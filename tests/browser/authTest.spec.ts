import type { Page } from '@playwright/test'
import { getAuthStatus, testUserCreation } from '../../contract/diagnostics.ts'
import { answer, fail, SERVER_ERROR } from './answers.ts'
import { expect, signIn, test } from './fixtures.ts'
import { toast } from './stock.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The text beside a label. */
const fact = (page: Page, name: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('..')
    .getByRole('definition')

test('diagnostics-1, diagnostics-11: the status of signing in, and the steps that create an account', async ({
  page,
  app,
}) => {
  await signIn(page, { path: '/auth-test' })
  const [users] = await app.db<{ n: number }[]>`select count(*)::int as n from users`
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Authentication Testing Center')
  await expect(fact(page, 'Database')).toHaveText('connected')
  await expect(fact(page, 'Users')).toHaveText(String(users?.n))
  await expect(fact(page, 'Auth provider \\(Replit\\)')).toHaveText('not configured')
  await expect(fact(page, 'Google')).toHaveText('configured')
  await expect(fact(page, 'Facebook')).toHaveText('configured')
  await expect(fact(page, 'OpenID provider')).toHaveText('not configured')
  await expect(fact(page, 'E-mail links')).toHaveText('not configured')
  await expect(fact(page, 'Passkeys')).toHaveText('configured')
  await expect(fact(page, 'Registration')).toHaveText('open')
  await expect(fact(page, 'Environment')).toHaveText('development')
  await expect(fact(page, 'Login endpoint')).toHaveText('/api/login')
  await expect(fact(page, 'Callback endpoint')).toHaveText('/api/callback')
  await expect(fact(page, 'User endpoint')).toHaveText('/api/auth/user')
  await expect(
    page.getByRole('region', { name: 'How an account is made' }).getByRole('listitem').locator('b'),
  ).toHaveText([
    'Login redirect',
    'Provider authentication',
    'Callback',
    'User record created or updated',
    'Access granted',
  ])
})

test("diagnostics-11, diagnostics-13: Refresh Status shows the server's texts; Test User Creation leaves no user, or says which step failed", async ({
  page,
  app,
}) => {
  await signIn(page, { path: '/auth-test' })
  await expect(fact(page, 'Database')).toHaveText('connected')
  await answer(page, getAuthStatus, {
    database: 'error',
    userCount: null,
    replitAuth: 'configured',
    googleAuth: 'not configured',
    facebookAuth: 'configured',
    openIdAuth: 'configured',
    emailAuth: 'configured',
    passkeyAuth: 'configured',
    registration: 'closed',
    environment: 'production',
    authEndpoints: { login: '/in', callback: '/back', user: '/who' },
  })
  await button(page, 'Refresh Status').click()
  await expect(fact(page, 'Database')).toHaveText('error')
  await expect(fact(page, 'Users')).toHaveText('–')
  await expect(fact(page, 'Google')).toHaveText('not configured')
  await expect(fact(page, 'Registration')).toHaveText('closed')
  await expect(fact(page, 'Callback endpoint')).toHaveText('/back')

  const count = () => app.db`
    select (select count(*) from users) as users, (select count(*) from sessions) as sessions`
  const before = await count()
  await button(page, 'Test User Creation').click()
  await expect(page.getByText('Tests Passed')).toBeVisible()
  for (const name of ['User creation', 'Auth flow', 'Overall'])
    await expect(fact(page, name)).toHaveText('passed')
  expect(await count()).toEqual(before)

  await answer(page, testUserCreation, {
    userCreation: 'passed',
    authFlow: 'failed',
    overall: 'failed',
    timestamp: '2026-03-04T05:06:07.000Z',
  })
  await button(page, 'Test User Creation').click()
  await expect(page.getByText('Tests Failed')).toBeVisible()
  await expect(fact(page, 'User creation')).toHaveText('passed')
  await expect(fact(page, 'Auth flow')).toHaveText('failed')
  await expect(fact(page, 'Time').getByRole('time')).toHaveAttribute('datetime', '2026-03-04T05:06:07.000Z')
})

test.describe('when the server fails', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('diagnostics-11, diagnostics-13: each section shows its failure and recovers afterwards', async ({
    page,
  }) => {
    const mendStatus = await fail(page, getAuthStatus)
    const mendTest = await fail(page, testUserCreation)
    await signIn(page, { path: '/auth-test' })
    await expect(page.getByText('Failed to load auth status')).toBeVisible()
    await button(page, 'Test User Creation').click()
    await expect(toast(page)).toContainText('Test Failed')
    await expect(toast(page)).toContainText('User creation test failed')
    await mendStatus()
    await mendTest()
    await button(page, 'Refresh Status').click()
    await expect(fact(page, 'Database')).toHaveText('connected')
    await button(page, 'Test User Creation').click()
    await expect(page.getByText('Tests Passed')).toBeVisible()
  })
})
