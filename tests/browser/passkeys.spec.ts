import type { Page } from '@playwright/test'
import { getCurrentUser } from '../../contract/auth.ts'
import { getPasskeyChallenge } from '../../contract/passkeys.ts'
import { SUB_PATH } from '../harness/tier.ts'
import { addAuthenticator } from './authenticator.ts'
import { test as base, expect, newEmail, signIn } from './fixtures.ts'
import { urlPattern } from './mockResponses.ts'
import { toast } from './testSongs.ts'

const test = base.extend<{ suggests: boolean; suggestions: undefined }>({
  suggests: [true, { option: true }],
  suggestions: [
    async ({ context, suggests }, use) => {
      if (!suggests)
        await context.addInitScript(() => {
          // Blank pages have no passkeys.
          if ('PublicKeyCredential' in globalThis)
            PublicKeyCredential.isConditionalMediationAvailable = async () => false
        })
      await use(undefined)
    },
    { auto: true },
  ],
})

const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' })
const rows = (page: Page) => section(page).getByRole('listitem')
const button = (page: Page, name: string | RegExp) => section(page).getByRole('button', { name })
const nameField = (page: Page) => section(page).getByLabel('Name of the passkey')
const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

const currentEmail = async (page: Page): Promise<string | null> => {
  const answer = await page.request.get(getCurrentUser.path)
  return answer.ok() ? ((await answer.json()) as { email: string }).email : null
}

/** Signs in, opens the profile and adds a passkey with this name. */
async function addOne(page: Page, name: string, email = newEmail()): Promise<string> {
  await signIn(page, { email, path: '/profile' })
  await button(page, 'Add a passkey').click()
  await nameField(page).fill(name)
  await button(page, 'Save').click()
  await expect(rows(page)).toContainText([name])
  return email
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Discover Music Like Never Before')
}

/*
 * The virtual authenticator takes each suggestion of the e-mail field at once, without a person. Only one test wants
 * that.
 */
test.use({ suggests: false })

test.describe('the suggestions of the e-mail field', () => {
  test.use({ suggests: true, expectedErrors: [/status of 403/] })

  test('@long signin-20: a passkey that is chosen there signs in', async ({ page }) => {
    await addAuthenticator(page)
    const email = await addOne(page, 'Phone')
    await logOut(page)
    await page.goto('/auth')
    await expect.poll(() => currentEmail(page)).toBe(email)
    await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeVisible()
  })
})

test('signin-20, signin-23: a listener adds a passkey, signs in with it without an address, renames and removes it', async ({
  page,
}) => {
  const device = await addAuthenticator(page)
  const email = newEmail()
  await signIn(page, { email, path: '/profile' })
  await expect(rows(page)).toHaveCount(0)
  await button(page, 'Add a passkey').click()
  await expect(toast(page)).toContainText('Passkey added')
  // It has a name at once, which can be typed over.
  await expect(nameField(page)).toHaveValue(/^Chrome on \w+$/)
  await expect(nameField(page)).toBeFocused()
  await page.keyboard.type('Kitchen tablet')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toContainText([/^Kitchen tabletNot used yetAdded /])
  await expect(button(page, 'Rename Kitchen tablet')).toBeFocused()

  await logOut(page)
  await page.goto('/auth')
  await passkeyButton(page).click()
  await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`^[^?#]*:\\d+${SUB_PATH}/(\\?microgenre=\\d+)?$`))
  expect(await currentEmail(page)).toBe(email)

  await page.goto('/profile')
  await expect(rows(page)).toContainText([/^Kitchen tabletLast used .+Added /])
  await button(page, 'Rename Kitchen tablet').click()
  await nameField(page).fill('Bedroom tablet')
  await button(page, 'Cancel').click()
  await expect(rows(page)).toContainText(['Kitchen tablet'])
  await button(page, 'Rename Kitchen tablet').click()
  await nameField(page).fill('Bedroom tablet')
  await button(page, 'Save').click()
  await expect(rows(page)).toContainText(['Bedroom tablet'])

  await button(page, 'Remove Bedroom tablet').click()
  await expect(rows(page)).toContainText(['Remove ‘Bedroom tablet’? Nobody can sign in with it any more.'])
  await expect(button(page, 'Keep it')).toBeFocused()
  await button(page, 'Keep it').click()
  await expect(button(page, 'Remove Bedroom tablet')).toBeFocused()
  expect(await device.count()).toBe(1)
  await button(page, 'Remove Bedroom tablet').click()
  await button(page, 'Remove').click()
  await expect(rows(page)).toHaveCount(0)
  await expect(toast(page)).toContainText('Passkey removed')
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeFocused()
})

test.describe('a visitor who wanted to go elsewhere', () => {
  // The page of somebody who was signed in asks for its data at once.
  test.use({ expectedErrors: [/status of 401/] })

  test('@long signin-13, signin-20: signs in by a passkey at /login, too, and arrives there', async ({
    page,
  }) => {
    await addAuthenticator(page)
    const email = await addOne(page, 'Phone')
    await page.context().clearCookies()
    await page.goto('/profile')
    await expect(passkeyButton(page)).toBeVisible()
    await page.goto('/login')
    await passkeyButton(page).click()

    await expect(page).toHaveURL('/profile')
    expect(await currentEmail(page)).toBe(email)
  })
})

test('signin-24: closing the dialog shows a message, and both actions can be retried', async ({ page }) => {
  const device = await addAuthenticator(page)
  await signIn(page, { path: '/profile' })
  await device.recognise(false)
  await button(page, 'Add a passkey').click()
  await expect(toast(page)).toContainText('No passkey was added: the dialog was closed, or took too long.')
  await device.recognise(true)
  await button(page, 'Add a passkey').click()
  await expect(rows(page)).toHaveCount(1)

  await logOut(page)
  await page.goto('/auth')
  await device.recognise(false)
  await passkeyButton(page).click()
  await expect(toast(page)).toContainText(
    'No passkey was used: the dialog was closed, or took too long. Try again, or use another way to sign in.',
  )
  expect(await currentEmail(page)).toBeNull()
  await device.recognise(true)
  await passkeyButton(page).click()
  await expect.poll(() => currentEmail(page)).not.toBeNull()
})

test('signin-23: signing out everywhere can remove the passkeys, too', async ({ page }) => {
  await addAuthenticator(page)
  const email = await addOne(page, 'Phone')
  await page.getByRole('switch', { name: 'Remove my passkeys, too' }).click()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect.poll(() => currentEmail(page)).toBeNull()
  await page.waitForURL('/')

  await signIn(page, { email, path: '/profile' })
  await expect(button(page, 'Add a passkey')).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
})

test('@long signin-20: a browser without passkeys does not offer them, and lists those of other devices', async ({
  page,
}) => {
  await addAuthenticator(page)
  await addOne(page, 'Phone')
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
  })
  await page.reload()
  await expect(rows(page)).toContainText(['Phone'])
  await expect(section(page)).toContainText('Passkeys cannot be added in this browser.')
  await button(page, 'Remove Phone').click()
  await button(page, 'Remove').click()
  await expect(section(page)).toHaveCount(0)

  await logOut(page)
  for (const path of ['/auth', '/login']) {
    await page.goto(path)
    await expect(page.getByRole('link', { name: /Google/ })).toBeVisible()
    await expect(passkeyButton(page)).toHaveCount(0)
  }
})

test('@long signin-20: at an IP address, where browsers allow none, nothing mentions them', async ({
  page,
  app,
}) => {
  const requests: string[] = []
  page.on('request', (request) => {
    if (urlPattern(getPasskeyChallenge).test(request.url())) requests.push(request.url())
  })
  await page.goto(`${app.url.replace('localhost', '127.0.0.1')}/auth`)
  await expect(page.getByLabel('E-mail')).toBeVisible()

  await expect(passkeyButton(page)).toHaveCount(0)
  expect(requests).toEqual([])
})
