import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { pathAt } from '../harness/tier.ts'
import { startTestServer, type TestServer } from './testServer.ts'

/* A production server, with and without the settings that name its operator. */

const PRODUCTION = { NODE_ENV: 'production', SESSION_SECRET: 's'.repeat(32) }
/** Of what it prints when it is ready. */
const LAST_LINE = 'No mail server is configured'
const PAGES = ['/verification', '/auth-test', '/youtube-optimization', '/coverage', '/feedback']

test('diagnostics-1, screens-9: without them the server asks for each, and the diagnostic pages are closed', async ({
  page,
}) => {
  const app = await startTestServer(PRODUCTION)
  try {
    await expect.poll(() => app.output()).toContain(LAST_LINE)
    expect(app.output()).toContain('Please set CONTACT_EMAIL: ')
    expect(app.output()).toContain('Please set OPERATOR_NAME: ')
    expect(app.output()).toContain('Please set BACKUP_DIR: ')
    expect(app.output()).toContain('The diagnostic pages are closed until DIAGNOSTIC_EMAILS names')
    await page.goto(`${app.url}/privacy`)
    await expect(page.getByText('has not given a name.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible()
    await signIn(page, app, 'ada@example.org')
    for (const place of PAGES) await expectPage(page, app.url + place, 'Page Not Found')
    const { out } = await app.run('doctor')
    expect(out).toMatch(/^- +Contact +CONTACT_EMAIL and OPERATOR_NAME are not set/m)
    expect(out).toMatch(/^- +Diagnostics +DIAGNOSTIC_EMAILS is not set: the pages are closed$/m)
  } finally {
    await app.close()
  }
})

test('diagnostics-1, screens-9: with them the privacy page names the operator, and only operators open the pages', async ({
  page,
}) => {
  // Longer than the proof of a backup may take.
  test.setTimeout(300_000)
  const backups = await mkdtemp(path.join(os.tmpdir(), 'bob-backups-'))
  const app = await startTestServer({
    ...PRODUCTION,
    CONTACT_EMAIL: 'hello@bangers.example',
    OPERATOR_NAME: 'Ada & Söhne <Verein>, Musterweg 1, Köln',
    DIAGNOSTIC_EMAILS: 'ada@example.org',
    BACKUP_DIR: backups,
  })
  try {
    await expect.poll(() => app.output()).toContain(LAST_LINE)
    expect(app.output()).not.toContain('Please set')
    expect(app.output()).not.toContain('DIAGNOSTIC_EMAILS')
    await page.goto(`${app.url}/privacy`)
    await expect(
      page.getByText('This service is run by Ada & Söhne <Verein>, Musterweg 1, Köln.'),
    ).toBeVisible()
    await expect(page.getByRole('link', { name: 'hello@bangers.example' })).toHaveAttribute(
      'href',
      'mailto:hello@bangers.example',
    )
    await expect(page.getByRole('button', { name: 'Send message' })).toHaveCount(0)
    await signIn(page, app, 'ada@example.org')
    await expectPage(page, `${app.url}/feedback`, 'Feedback')
    await page.context().clearCookies()
    await signIn(page, app, 'bob@example.org')
    for (const place of PAGES) await expectPage(page, app.url + place, 'Page Not Found')
    // The first backup is due at once.
    await expect.poll(() => app.output(), { timeout: 180_000 }).toContain('It was restored to prove it.')
    const { out } = await app.run('doctor')
    expect(out).toMatch(/^ok +Backup +\d+ minutes? old, .* restored to prove it/m)
    expect(out).toMatch(/^ok +Contact +Ada & Söhne .*feedback is not mailed: read it with npm run feedback$/m)
    expect(out).toMatch(/^ok +Diagnostics +the pages are open to ada@example\.org$/m)
  } finally {
    await app.close()
    await rm(backups, { recursive: true })
  }
})

async function signIn(page: Page, app: TestServer, email: string): Promise<void> {
  const { out } = await app.run('signInLink', [email])
  await page.goto(out.trim())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => pathAt(url.href) === '/')
}

async function expectPage(page: Page, address: string, heading: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 }), address).toHaveText(heading)
}
