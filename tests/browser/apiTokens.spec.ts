import { listApiTokens } from '../../contract/apiTokens.ts'
import { listRatings } from '../../contract/library.ts'
import { findViolations } from './axe.ts'
import { expect, startSession, test } from './fixtures.ts'
import { holdResponse } from './mockResponses.ts'
import { toast } from './testSongs.ts'

test.use({
  permissions: ['clipboard-read', 'clipboard-write'],
  viewport: { width: 390, height: 664 },
})

test('signin-27: a token is made on a phone, copied, used, listed and revoked', async ({
  page,
  baseURL,
  playwright,
}, info) => {
  await startSession(page.context())
  const release = await holdResponse(page, listApiTokens)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Tokens…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tokens for programs' })
  await expect(dialog).toContainText('Looking for your tokens...')
  release()
  await expect(dialog).toContainText('You have none.')
  const make = dialog.getByRole('button', { name: 'Make a token' })
  await expect(make).toBeDisabled()
  await dialog.getByLabel('What it is for').fill('Night backup')
  await dialog.getByRole('switch', { name: 'Export' }).click()
  await make.click()

  const copy = dialog.getByRole('button', { name: 'Copy', exact: true })
  await expect(copy).toBeFocused()
  await expect(copy).toBeInViewport()
  const token = await dialog.locator('code').innerText()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Tokens…' }).click()
  await expect(dialog.locator('code'), 'closing the dialog does not lose it').toHaveText(token)
  await copy.click()
  await expect(toast(page)).toContainText('Token copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  expect((await findViolations(page)).violations).toEqual([])
  await page.screenshot({ path: info.outputPath('token.png') })
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await expect(dialog.getByRole('heading', { name: 'Your tokens' })).toBeFocused()
  await expect(dialog.getByRole('listitem')).toContainText('Night backupRead, ExportMade')
  await expect(dialog.getByRole('listitem')).toContainText('Not used yet')

  const program = await playwright.request.newContext({
    baseURL,
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  })
  const statusOfUse = async () => (await program.get(listRatings.path)).status()
  expect(await statusOfUse()).toBe(200)
  await page.reload()
  await expect(dialog.getByRole('listitem')).toContainText('Last used')
  await expect(dialog).not.toContainText(token)
  await page.screenshot({ path: info.outputPath('list.png') })
  await dialog.getByRole('button', { name: 'Revoke Night backup' }).click()
  await expect(dialog).toContainText('You have none.')
  await expect(dialog.getByRole('heading', { name: 'Your tokens' })).toBeFocused()
  expect(await statusOfUse()).toBe(401)
  await program.dispose()
})
