import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { getCurrentUser } from '../../contract/auth.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { setPhoto } from '../../contract/uploads.ts'
import { fail } from './answers.ts'
import { signInWithBangers } from './bangers.ts'
import { closeWithEscape } from './dialogs.ts'
import { makeFiles } from './files.ts'
import { expect, test } from './fixtures.ts'
import { makeListener } from './listeners.ts'

/* One listener, on one phone, through everything that concerns other people, to the end of the account. */

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 664 } })
test.use({ expectedErrors: [/status of (500|401|404)/] })

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

test('a listener shares, changes the photo, follows, is followed, goes private, and leaves with all data', async ({
  page,
  browser,
  baseURL,
}) => {
  const [genre] = await signInWithBangers(page, [2])

  await page.getByRole('button', { name: 'Library', exact: true }).tap()
  await page.getByRole('button', { name: 'Share Collection' }).tap()
  await dialog(page, 'Share Collection').getByLabel('Name').fill('Night buses')
  await dialog(page, 'Share Collection').getByRole('button', { name: 'Create Collection' }).tap()
  const link = page.getByRole('textbox', { name: 'Link' })
  const address = await link.inputValue()
  const friend = await (await browser.newContext({ baseURL })).newPage()
  await friend.goto(address)
  await expect(friend.getByRole('heading', { level: 1 })).toHaveText('Night buses')

  await page.getByRole('button', { name: 'Edit collection' }).tap()
  const editor = dialog(page, 'Edit Collection')
  await editor.getByLabel('Name').fill('Last tram')
  await editor.getByRole('button', { name: 'Save' }).tap()
  await expect(page.getByText('Last tram').first()).toBeVisible()
  await expect
    .poll(async () => {
      await friend.reload()
      return friend.getByRole('heading', { level: 1 }).textContent()
    })
    .toBe('Last tram')
  await editor.getByRole('button', { name: 'Share', exact: true }).tap()
  await expect(link).toHaveValue(address)
  // Also because a second tap at nearly the same place, within 300 ms, would count as a double press.
  await friend.reload()
  await expect(friend.getByRole('heading', { level: 1 })).toHaveText('Last tram')
  await editor.getByRole('button', { name: 'End the link' }).tap()
  await expect(link).toHaveCount(0)
  await friend.reload()
  await expect(friend.getByRole('heading', { level: 1 })).toHaveText('Collection Not Found')
  await friend.context().close()
  await closeWithEscape(editor)

  await page.getByRole('button', { name: 'Your profile' }).tap()
  const profile = dialog(page, 'Profile')
  await profile.getByRole('button', { name: 'Change photo' }).tap()
  const photo = dialog(page, 'Profile photo')
  const mend = await fail(page, setPhoto)
  const files = await makeFiles()
  const chooser = page.waitForEvent('filechooser')
  await photo.getByRole('button', { name: 'Choose a picture' }).tap()
  await (await chooser).setFiles(await files.photo())
  await photo.locator('[data-uppy-paneltype="FileEditor"]').getByRole('button', { name: 'Save' }).tap()
  const retry = photo.getByRole('button', { name: 'Retry upload' }).first()
  await expect(retry).toBeVisible()
  await mend()
  await retry.tap()
  await expect(photo).toBeHidden()
  await expect(profile.getByRole('button', { name: 'Remove photo' })).toBeVisible()
  await files.remove()

  const setPublic = async (isPublic: boolean) => {
    const toggle = profile.getByRole('switch', { name: 'Public profile', exact: true })
    await toggle.setChecked(isPublic)
    const saved = page.waitForResponse(
      (response) => response.url().endsWith(updateProfile.path) && response.request().method() === 'PUT',
    )
    await profile.getByRole('button', { name: 'Save', exact: true }).tap()
    expect((await saved).status()).toBe(200)
  }
  await setPublic(true)
  await closeWithEscape(profile)

  const name = `Ada on the phone ${genre?.id}-${Date.now()}`
  const ada = await makeListener({ firstName: name, isPublic: true })
  const me = (await (await page.request.get(getCurrentUser.path)).json()) as { id: string; email: string }
  expect((await ada.api.post(`/api/users/${me.id}/follow`)).ok()).toBe(true)
  await page.getByRole('button', { name: 'Discover Music Explorers' }).tap()
  const explorers = dialog(page, 'Discover Music Explorers')
  await explorers.getByRole('searchbox').fill(name)
  const row = explorers.getByRole('listitem').filter({ hasText: name })
  await row.getByRole('button', { name: /^Follow/ }).tap()
  await expect(row.getByText('Following')).toBeVisible()
  await closeWithEscape(explorers)

  await page.getByRole('button', { name: 'Your profile' }).tap()
  await expect(profile.getByText('1 follower', { exact: true })).toBeVisible()
  await expect(profile.getByText('1 following', { exact: true })).toBeVisible()
  await setPublic(false)
  expect((await ada.api.get(`/api/users/${me.id}/profile`)).status()).toBe(404)

  await page.goto('/profile')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'My data' }).tap(),
  ])
  const data = JSON.parse(await readFile(await download.path(), 'utf8')) as { ratings: unknown[] }
  expect(data.ratings).toHaveLength(2)

  await page.getByRole('button', { name: 'Delete my account' }).tap()
  const last = dialog(page, 'Delete my account')
  await last.getByRole('textbox').fill(me.email)
  await last.getByRole('button', { name: 'Delete my account' }).tap()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect((await page.request.get(getCurrentUser.path)).status()).toBe(401)
  expect((await ada.api.get(`/api/users/${me.id}/profile`)).status()).toBe(404)
})
