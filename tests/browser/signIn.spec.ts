import type { APIRequestContext, Page } from '@playwright/test'
import { getCurrentUser, returnFromOpenId, sendMagicLink } from '../../contract/auth.ts'
import { pathAt, SUB_PATH } from '../harness/tier.ts'
import { startOpenId } from '../stand-ins/openId.ts'
import { findViolations } from './axe.ts'
import {
  answerQuestionnaire,
  changeTab,
  expect,
  newEmail,
  signIn,
  signInByLink,
  startSession,
  test,
} from './fixtures.ts'
import { failCall, SERVER_ERROR, urlPattern } from './mockResponses.ts'
import { findScreenFaults } from './screenFaults.ts'
import { startTestServer } from './testServer.ts'
import { toast } from './testSongs.ts'

const email = (page: Page) => page.getByLabel('E-mail')
const send = (page: Page) => page.getByRole('button', { name: 'Send magic link' })
/* Requests of the main screen, also when the questionnaire has opened over it. */
const sections = (page: Page) =>
  page.getByRole('navigation', { name: 'Sections', includeHidden: true }).filter({ visible: true })

/** With the microgenre that Discover picked. */
const MAIN_SCREEN = new RegExp(`^[^?#]*:\\d+${SUB_PATH}/(\\?microgenre=\\d+)?$`)

/** Requests a link in the form and returns the one that development shows. */
async function askForLink(page: Page, address: string): Promise<string> {
  await page.goto('/auth')
  await email(page).fill(address)
  await send(page).click()
  const link = page.getByRole('link', { name: /\/sign-in\/link\?token=/ })
  return (await link.getAttribute('href')) ?? ''
}

const sessionStatus = async (api: APIRequestContext) => (await api.get(getCurrentUser.path)).status()

test('signin-3, signin-6: /auth has all four ways and a way home, /login is short; a way without keys says so', async ({
  page,
}) => {
  await page.goto('/auth')
  const providers = page.getByRole('link', { name: /Google|Facebook|Replit/ })
  await expect(providers).toHaveText([/Google/, /Facebook/, /Replit/])
  for (const provider of await providers.all())
    await expect(provider.locator('svg'), 'its mark').toBeVisible()
  await expect(send(page)).toBeVisible()
  await page.getByRole('link', { name: 'Back to home' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Discover Music Like Never Before')

  await page.goto('/login')
  await expect(providers).toHaveCount(3)
  await expect(email(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Continue with e-mail' }).click()
  await expect(email(page)).toBeVisible()
  await expect(send(page)).toBeVisible()
  await page.getByRole('link', { name: 'Replit' }).click()
  await expect(page.getByRole('alert')).toHaveText('This sign-in method is not available right now.')
  expect(pathAt(page.url())).toBe('/auth')
})

test.describe('providers', () => {
  test('signin-5, signin-7: Google signs in to the account of its verified address, Facebook to one of its own', async ({
    page,
    app,
    browser,
    baseURL,
  }) => {
    const address = newEmail()
    await startSession(page.context(), { email: address })
    const { id } = await (await page.request.get(getCurrentUser.path)).json()
    const elsewhere = await browser.newContext({ baseURL: baseURL ?? '' })
    const tab = await elsewhere.newPage()
    app.google.seat({ sub: `g-${address}`, email: address, email_verified: true })
    await tab.goto('/auth')
    await tab.getByRole('link', { name: 'Google' }).click()
    await tab.getByRole('link', { name: 'Allow' }).click()
    await expect(sections(tab)).toBeVisible()
    await expect(tab).toHaveURL(MAIN_SCREEN)
    expect((await (await tab.request.get(getCurrentUser.path)).json()).id).toBe(id)

    app.facebook.seat({
      id: `f-${address}`,
      email: address,
      first_name: 'Ada',
      last_name: 'Lovelace',
      picture: { data: { url: 'https://pictures.example/ada.png', is_silhouette: false } },
    })
    await elsewhere.clearCookies()
    await tab.goto('/auth')
    await tab.getByRole('link', { name: 'Facebook' }).click()
    await tab.getByRole('link', { name: 'Allow' }).click()
    await expect(sections(tab)).toBeVisible()
    // Without the #_=_ that Facebook appends.
    await expect(tab).toHaveURL(MAIN_SCREEN)
    const other = await (await tab.request.get(getCurrentUser.path)).json()
    expect(other).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', email: null })
    expect(other.id).not.toBe(id)
    await answerQuestionnaire(tab.request)
    await tab.goto('/profile')
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Ada Lovelace')
    // The server cannot fetch the picture, so the letter shows.
    await expect(tab.getByRole('main').getByText('A', { exact: true })).toBeVisible()
    await elsewhere.close()
  })

  test('@long after declining, or when the provider is down, a message shows and sign-in can be retried', async ({
    page,
    app,
  }) => {
    await page.goto('/auth')
    await page.getByRole('link', { name: 'Facebook' }).click()
    await page.getByRole('link', { name: 'Deny' }).click()
    await expect(page.getByRole('alert')).toHaveText(
      'Facebook reports that sign-in was cancelled. Try again, or use another way to sign in.',
    )
    await page.getByRole('link', { name: 'Google' }).click()
    await page.getByRole('link', { name: 'Deny' }).click()
    await expect(page.getByRole('alert')).toContainText('Google reports that sign-in was cancelled.')

    app.facebook.answer('failing')
    await page.getByRole('link', { name: 'Facebook' }).click()
    await page.getByRole('link', { name: 'Allow' }).click()
    await expect(page.getByRole('alert')).toHaveText(
      'Facebook does not answer right now. Try again in a moment, or use another way to sign in.',
    )
    expect(await sessionStatus(page.request)).toBe(401)
    await expect(email(page)).toBeVisible()
  })
})

test("@long signin-14, signin-15: the operator's own provider has a button below the three, and its name in messages", async ({
  page,
}) => {
  const name = '"Über & Unter" <Musikfreunde>, Köln e.V.'
  const provider = await startOpenId({ callback: SUB_PATH + returnFromOpenId.path })
  const app = await startTestServer({
    ...provider.env('OIDC'),
    OIDC_NAME: name,
    OIDC_SCOPES: 'openid email profile groups',
    OIDC_ALLOWED_GROUPS: 'listeners',
  })
  try {
    const own = page.getByRole('link', { name: `Continue with ${name}`, exact: true })
    for (const path of ['/login', '/auth']) {
      await page.goto(app.url + path)
      await expect(page.getByRole('link', { name: /^Continue with/ })).toHaveText([
        'Continue with Google',
        'Continue with Facebook',
        'Continue with Replit',
        `Continue with ${name}`,
      ])
      await expect(own.locator('svg')).toBeVisible()
      expect(await findScreenFaults(page)).toEqual({})
    }
    provider.seat({ sub: 'ada', groups: ['others'] })
    await own.click()
    await page.getByRole('link', { name: 'Allow' }).click()
    await expect(page.getByRole('alert')).toHaveText(
      `${name} lists you in no group that may sign in here. Please ask whoever runs this service.`,
    )
    expect((await page.request.get(app.url + getCurrentUser.path)).status()).toBe(401)
    await page.context().clearCookies()
    provider.seat({ sub: 'grace', groups: ['others', 'listeners'] })
    await own.click()
    await page.getByRole('link', { name: 'Allow' }).click()
    await expect(sections(page)).toBeVisible()
    await page.goto(`${app.url}/privacy`)
    await expect(page.getByText(`and Google, Facebook or ${name}, when you choose`)).toBeVisible()
  } finally {
    await page.close()
    await app.close()
    await provider.close()
  }
})

test('@long signin-16: while registration is closed the screens say who can sign in, and an invited person does', async ({
  page,
}) => {
  const app = await startTestServer({ REGISTRATION: 'closed' })
  const address = newEmail()
  async function followLink() {
    await page.goto(`${app.url}/auth`)
    await email(page).fill(address)
    await send(page).click()
    await page.getByRole('link', { name: /\/sign-in\/link\?token=/ }).click()
  }
  try {
    for (const path of ['/login', '/auth']) {
      await page.goto(app.url + path)
      const note = page.getByText('Only people with an account or an invitation can sign in.', {
        exact: true,
      })
      await expect(note).toBeVisible()
      expect(await findScreenFaults(page)).toEqual({})
    }
    await followLink()
    await expect(page.getByRole('alert')).toHaveText(
      'There is no account or invitation for this sign-in, and this service takes no new ones. Please ask whoever runs it.',
    )
    await app.run('account', ['invite', address])
    await followLink()
    await expect(sections(page)).toBeVisible()
  } finally {
    await page.close()
    await app.close()
  }
})

test.describe('magic links', () => {
  test('signin-8, signin-10, signin-9: the address is sent trimmed, development shows the link, and it signs in once', async ({
    page,
    app,
  }) => {
    const address = newEmail()
    await page.goto('/auth')
    await email(page).pressSequentially(` ${address} `)
    const [sent] = await Promise.all([page.waitForResponse(urlPattern(sendMagicLink)), send(page).click()])
    expect(sent.request().postDataJSON()).toEqual({ email: address })
    await expect(toast(page).getByText('Email Sent', { exact: true })).toBeVisible()
    const { magicLink } = await sent.json()
    expect(magicLink).toContain(`${app.url}/sign-in/link?token=`)
    await page.getByRole('link', { name: magicLink }).click()
    await expect(page).toHaveURL(MAIN_SCREEN)
    await expect(sections(page)).toBeVisible()
    expect((await (await page.request.get(getCurrentUser.path)).json()).email).toBe(address)

    await answerQuestionnaire(page.request)
    const next = await changeTab(page)
    await next.context().clearCookies()
    await next.goto(magicLink)
    await next.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(next.getByRole('alert')).toHaveText(/used already/)
    expect(await sessionStatus(next.request)).toBe(401)
  })

  test('@long signin-9: that page looks like the product in both schemes, names the account in part, and needs no script', async ({
    page,
    browser,
    baseURL,
  }) => {
    const address = `jane.${newEmail()}`
    const [local = '', domain = ''] = address.split('@')
    const link = await askForLink(page, address)
    const elsewhere = await browser.newContext({ baseURL: baseURL ?? '', javaScriptEnabled: false })
    const tab = await elsewhere.newPage()
    const inks = new Set<string>()
    for (const colorScheme of ['dark', 'light'] as const) {
      await tab.emulateMedia({ colorScheme })
      await tab.goto(link)
      const heading = tab.getByRole('heading', { name: 'Sign in to Banger or Bust' })
      await expect(heading).toHaveCSS('font-family', /Anybody/)
      await expect(tab.getByText('Banger', { exact: true })).toHaveCSS('font-stretch', '150%')
      await expect(tab.getByText('Bust', { exact: true })).toHaveCSS('font-stretch', '50%')
      await expect(tab.getByRole('button', { name: 'Sign in' })).toHaveCSS('font-family', /Instrument Sans/)
      await expect(tab.getByText(`j…${local.at(-1)}@${domain}`)).toBeVisible()
      expect(await tab.content()).not.toContain(local)
      inks.add(await heading.evaluate((element) => getComputedStyle(element).color))
    }
    expect(inks.size).toBe(2)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await expect(tab).toHaveURL('/')
    expect(await sessionStatus(elsewhere.request)).toBe(200)
    await elsewhere.close()
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 664 }, expectedErrors: [/status of 403/] })

  test('signin-29: the code signs in within the tab: typed wrong, after a reload, and pasted with its space', async ({
    page,
  }) => {
    const address = newEmail()
    await askForLink(page, address)
    const field = page.getByLabel('Code from the mail')
    await expect(field).toBeFocused()
    await expect(field).toBeInViewport()
    expect(await findScreenFaults(page)).toEqual({})
    const text = await page
      .getByRole('status')
      .getByText(/^Code: \d{3} \d{3}$/)
      .innerText()
    const code = text.replace('Code: ', '')
    await field.pressSequentially(code === '123 456' ? '654321' : '123456')
    await expect(page.getByRole('alert')).toHaveText(
      'This code is wrong. Please compare it with your newest mail.',
    )
    await expect(field).toBeFocused()
    expect((await findViolations(page)).violations).toEqual([])

    await page.reload()
    await field.fill(code)
    await expect(page).toHaveURL(MAIN_SCREEN)
    await expect(sections(page)).toBeVisible()
    expect((await (await page.request.get(getCurrentUser.path)).json()).email).toBe(address)
  })
})

test.describe('when sending fails', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test("@long signin-8: 'Failed to send magic link' shows when the server gives no message; sending can be retried", async ({
    page,
  }) => {
    const restore = await failCall(page, sendMagicLink)
    await page.goto('/auth')
    await email(page).fill(newEmail())
    await send(page).click()
    await expect(toast(page).getByText('Failed to send magic link', { exact: true })).toBeVisible()
    await restore()
    await send(page).click()
    await expect(toast(page).getByText('Email Sent', { exact: true })).toBeVisible()
    await expect(toast(page).getByText('Failed to send magic link')).toBeHidden()
  })
})

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

const section = (page: Page) => page.getByRole('region', { name: 'Where you are signed in' })
const rows = (page: Page) => section(page).getByRole('listitem')

test("the profile lists the listener's sessions, and can end one", async ({ page, browser, baseURL }) => {
  const email = newEmail()
  const phone = await browser.newContext({ baseURL: baseURL ?? '', userAgent: PHONE })
  await signInByLink(phone.request, email)
  await signIn(page, { email, path: '/profile' })

  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).first()).toContainText(/^Chrome on \w+Signed in /)
  await expect(rows(page).first()).toContainText('This browser')
  await expect(rows(page).first().getByRole('button')).toHaveCount(0)
  await expect(rows(page).nth(1)).toContainText('Safari on iPhone')
  await expect(rows(page).nth(1)).toContainText(/Last used .+Signed in /)
  await section(page).getByRole('button', { name: 'Sign out Safari on iPhone' }).click()
  await expect(toast(page)).toContainText('Safari on iPhone is signed out now.')
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeFocused()
  expect((await phone.request.get(getCurrentUser.path)).status()).toBe(401)
  await phone.close()
})
