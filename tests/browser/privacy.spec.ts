import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

test.beforeEach(({ page }) => page.goto('/privacy'))

/** The text between a heading and the next one. */
const part = (page: Page, title: string) =>
  page.getByRole('heading', { level: 2, name: title, exact: true }).locator('..')

test('screens-9: the six sections, in order', async ({ page }) => {
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Information collected',
    'Use',
    'Security',
    'Third-party services',
    'User rights',
    'Contact',
  ])
})

test('screens-9: what is collected', async ({ page }) => {
  await expect(part(page, 'Information collected').getByRole('listitem')).toHaveText([
    /e-mail/,
    /ratings/,
    /listening progress/,
    /basic profile from social sign-in/,
  ])
})

test('screens-9: what it is used for', async ({ page }) => {
  await expect(part(page, 'Use').getByRole('paragraph')).toHaveText(/ratings choose the next song/)
})

test('screens-9: magic-link sign-in, and no passwords are stored', async ({ page }) => {
  await expect(part(page, 'Security')).toContainText('magic link')
  await expect(part(page, 'Security')).toContainText('No passwords are stored.')
})

test('screens-9: third-party services', async ({ page }) => {
  await expect(part(page, 'Third-party services').getByRole('listitem')).toHaveText([
    /video provider/,
    /music provider/,
    /E-mail delivery/,
    /Replit-based auth/,
  ])
})

test('screens-9, people-18: the four rights', async ({ page }) => {
  await expect(part(page, 'User rights').getByRole('listitem')).toHaveText([
    /Access/,
    /Delete your account/,
    /Opt out of e-mails/,
    /Download your ratings/,
  ])
})

test('screens-9: contact', async ({ page }) => {
  await expect(part(page, 'Contact').getByRole('paragraph')).toHaveText(/write to/i)
})

test('screens-9: last updated January 2025', async ({ page }) => {
  await expect(page.getByText('Last updated January 2025')).toBeVisible()
})

test('screens-9: a link leads home', async ({ page }) => {
  await page.getByRole('link', { name: 'Back to home' }).click()
  await expect(page).toHaveURL('/')
})
