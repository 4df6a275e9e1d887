import type { Page } from '@playwright/test'
import { getCurrentUser } from '../../contract/auth.ts'
import { expect, newEmail, signIn, test } from './fixtures.ts'
import { makeListener, rateSongs } from './listeners.ts'
import { startTestServer } from './testServer.ts'
import { toast } from './testSongs.ts'

const main = (page: Page) => page.getByRole('main')
const rows = (page: Page, list: string) => page.getByRole('list', { name: list }).getByRole('listitem')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const search = (page: Page) => page.getByLabel('A whole e-mail, a number, or a part of a name')
const sections = (page: Page) =>
  page.getByRole('navigation', { name: 'Sections', includeHidden: true }).filter({ visible: true })

test('accounts-2, accounts-3, accounts-4: an operator finds an account, sees its address, suspends and deletes it', async ({
  page,
  app,
}) => {
  const ada = await makeListener({ firstName: 'Ada', lastName: 'Lovelace' })
  await rateSongs(ada.api, { banger: 1 })
  const sessionStatus = async () => (await ada.api.get(getCurrentUser.path)).status()
  await signIn(page, { path: '/auth-test' })
  await page.getByRole('navigation', { name: 'Diagnostics' }).getByRole('link', { name: 'Accounts' }).click()
  await expect(page).toHaveURL('/admin')
  await search(page).fill('lovela')
  await expect(rows(page, 'Accounts')).toHaveCount(1)
  await expect(rows(page, 'Accounts')).toContainText(/Ada Lovelace.*l…\d@example\.org.*1 rating .*e-mail/)
  await expect(main(page)).not.toContainText(ada.email)

  await button(page, 'Manage Ada Lovelace').click()
  const dialog = page.getByRole('dialog', { name: `Account ${ada.id}` })
  await dialog.getByRole('button', { name: 'Show address' }).click()
  await expect(dialog.getByRole('link', { name: ada.email })).toBeVisible()
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect(dialog.getByRole('button', { name: 'End suspension' })).toBeVisible()
  await expect(toast(page)).toContainText('Suspended')
  expect(await sessionStatus()).toBe(401)
  await page.keyboard.press('Escape')
  await expect(button(page, 'Manage Ada Lovelace')).toBeFocused()
  await search(page).fill('')
  await expect(rows(page, 'Accounts')).not.toHaveCount(1)
  await page.getByRole('switch', { name: 'Suspended only' }).click()
  await expect(rows(page, 'Accounts')).toHaveCount(1)
  await button(page, 'Manage Ada Lovelace').click()
  await dialog.getByRole('button', { name: 'Make steward' }).click()
  await expect(dialog.getByRole('button', { name: 'Unmake steward' })).toBeVisible()

  const remove = dialog.getByRole('button', { name: 'Delete account' })
  await expect(remove).toBeDisabled()
  await dialog.getByLabel('To delete it, type Ada Lovelace').fill('ada lovelace')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Nobody is suspended.')).toBeVisible()
  expect(await app.db`select from users where id = ${ada.id}`).toHaveLength(0)

  await tab(page, 'Trail').click()
  await expect(rows(page, 'Trail').first()).toContainText('Deleted: A deleted account')
  await expect(rows(page, 'Trail').nth(1)).toContainText('Made steward: A deleted account')
  await expect(main(page)).not.toContainText('Lovelace')
})

test('@long accounts-6: a limit that somebody has reached is cleared', async ({ page, app }) => {
  const { id } = await makeListener({ firstName: 'Busy', lastName: 'Bee' })
  await signIn(page, { path: '/admin' })
  await app.db`
    insert into limit_counters (key, count, expires_at) values (${`sharing:${id}`}, 201, now() + interval '1 hour')`
  await tab(page, 'Limits').click()
  await expect(main(page)).toContainText('200 in one hour, for each listener')
  await expect(rows(page, 'Reached limits')).toContainText(/Busy Bee.*share links.*201 of 200/)
  await button(page, 'Clear the limit of Busy Bee: share links').click()
  await expect(page.getByText('Nobody has reached a limit.')).toBeVisible()
  expect(await app.db`select from limit_counters where key = ${`sharing:${id}`}`).toHaveLength(0)
  await tab(page, 'Trail').click()
  await expect(rows(page, 'Trail').first()).toContainText('Limit cleared: share links (Busy Bee)')
})

test('@long signin-17, signin-18, signin-19, accounts-8: an operator invites two people, by mail link and by provider, and a third has no invitation', async ({
  page,
  browser,
}) => {
  const app = await startTestServer({ REGISTRATION: 'invite', OPERATOR_NAME: 'The Choir of Example' })
  const other = async () => (await browser.newContext({ baseURL: app.url })).newPage()
  const askForLink = async (tab: Page, address: string) => {
    await tab.getByLabel('E-mail').fill(address)
    await tab.getByRole('button', { name: 'Send magic link' }).click()
    return (await tab.getByRole('link', { name: /\/sign-in\/link\?token=/ }).getAttribute('href')) ?? ''
  }
  try {
    const operator = newEmail()
    await app.run('account', ['invite', operator])
    await page.goto(`${app.url}/admin`)
    await expect(page.getByText('Only people with an account or an invitation can sign in.')).toBeVisible()
    await page.goto(await askForLink(page, operator))
    await expect(page).toHaveURL(`${app.url}/admin`)
    await tab(page, 'Invitations').click()
    await page.getByLabel('Whom or what it is for').fill('Two altos')
    await page.getByLabel('Accounts that it makes').fill('2')
    await button(page, 'Make invitation').click()
    const invitationLink = page.getByText(new RegExp(`^${app.url}/invite/[\\w-]{43}$`))
    const link = (await invitationLink.textContent()) ?? ''
    await expect(rows(page, 'Invitations')).toContainText(/Two altos.*Open.*0 of 2 used/)

    // The mail arrives on a phone.
    const laptop = await other()
    await laptop.goto(link)
    await expect(laptop.getByRole('heading', { level: 1 })).toHaveText('You are invited to Banger or Bust')
    await expect(laptop.getByText('This service is run by The Choir of Example.')).toBeVisible()
    const mailed = await askForLink(laptop, newEmail())
    const phone = await other()
    await phone.goto(mailed)
    await phone.getByRole('button', { name: 'Sign in' }).click()
    await expect(sections(phone)).toBeVisible()

    app.google.seat({ sub: `g-${operator}`, email: newEmail(), email_verified: true })
    await laptop.goto(link)
    await laptop.getByRole('link', { name: 'Google' }).click()
    await laptop.getByRole('link', { name: 'Allow' }).click()
    await expect(sections(laptop)).toBeVisible()
    await laptop.goto(link)
    await expect(laptop.getByText('You are signed in already, and need no invitation.')).toBeVisible()

    const late = await other()
    await late.goto(link)
    await expect(late.getByRole('heading', { level: 1 })).toHaveText('This invitation makes no account')
    await expect(late.getByText(/^It was used already\./)).toBeVisible()
    await late.goto(await askForLink(late, newEmail()))
    await expect(late.getByRole('alert')).toHaveText(
      'There is no account for this sign-in, and a new one needs an invitation. Open the link of your invitation first, or ask whoever runs this service for one.',
    )

    await page.reload()
    await tab(page, 'Invitations').click()
    await expect(rows(page, 'Invitations')).toContainText(/Two altos.*Used.*2 of 2 used/)
    await expect(page.getByText(link)).toHaveCount(0)
    await button(page, 'Make invitation').click()
    await button(page, /^Revoke Invitation /).click()
    await expect(rows(page, 'Invitations').first()).toContainText('Revoked')
    await expect(button(page, 'Copy link'), 'its link does nothing any more').toHaveCount(0)
    const { out } = await app.run('account', ['invite', '--note', 'From the terminal', '--days', '3'])
    expect(out).toMatch(new RegExp(`^${app.url}/invite/[\\w-]{43}\n`))
    await tab(page, 'Trail').click()
    await expect(rows(page, 'Trail').first()).toContainText(
      /Invitation made: From the terminal.*npm run account/,
    )
  } finally {
    await page.close()
    await app.close()
  }
})
