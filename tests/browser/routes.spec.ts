import type { Page } from '@playwright/test'
import { getCurrentUser, logout } from '../../contract/auth.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { listRatings } from '../../contract/library.ts'
import { pathAt, SUB_PATH } from '../harness/subPath.ts'
import { fail, hold, SERVER_ERROR } from './answers.ts'
import { expect, signIn, startSession, test } from './fixtures.ts'
import { makeListener } from './listeners.ts'
import { makeSharedAchievement, makeSharedCollection } from './shares.ts'

/** The pages for operators. */
const PAGES = ['/verification', '/auth-test', '/youtube-optimization', '/coverage', '/feedback', '/admin']

const hero = (page: Page) => page.getByRole('heading', { name: 'Discover Music Like Never Before' })
const banger = (page: Page) => page.getByRole('button', { name: 'BANGER', exact: true })
const authScreen = (page: Page) => page.getByRole('heading', { level: 1, name: 'Sign in to start rating' })

/** API calls from now on, as `METHOD /path`. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const pathname = pathAt(request.url())
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

test('screens-1, signin-1: Loading... shows until the session is known, which is requested once', async ({
  page,
}) => {
  const calls = callsOf(page)
  const release = await hold(page, getCurrentUser)
  await page.goto('/')
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading')).toHaveCount(0)
  await expect(page.getByRole('button')).toHaveCount(0)
  release()
  await expect(hero(page)).toBeVisible()
  await expect(page.getByText('Loading...', { exact: true })).toBeHidden()
  expect(calls).toEqual(['GET /api/auth/user'])
})

test.describe('the public routes', () => {
  test('sharing-11, screens-9, screens-2, community-20: shared pages and pages for reading open signed out and signed in, also on reload', async ({
    page,
  }) => {
    const sharer = await makeListener()
    const places = [
      { path: await makeSharedCollection(sharer.api, 'Night buses'), title: 'Night buses' },
      { path: await makeSharedAchievement(sharer.api), title: 'First Banger' },
      { path: '/fairness', title: 'How fairly songs are heard' },
      { path: '/privacy', title: 'Privacy policy' },
    ]
    const visitAll = async () => {
      for (const { path, title } of places) {
        const opened = await page.goto(path)
        expect(opened?.status(), path).toBe(200)
        await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
        expect(pathAt(page.url())).toBe(path)
      }
    }
    await visitAll()
    const reloaded = await page.reload()
    expect(reloaded?.status()).toBe(200)
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy policy' })).toBeVisible()

    await startSession(page.context())
    await visitAll()
  })

  test.describe('with an unknown link', () => {
    test.use({ expectedErrors: [/status of 404/] })

    test('@long sharing-11: the public page says so, signed out and signed in, without a redirect to sign-in', async ({
      page,
    }) => {
      const visitBoth = async () => {
        await page.goto('/share/collection/nobody-shared-this')
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Collection Not Found')
        await page.goto('/share/achievement/nobody-shared-this')
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Achievement Not Found')
        expect(pathAt(page.url())).toBe('/share/achievement/nobody-shared-this')
      }
      await visitBoth()
      await startSession(page.context())
      await visitBoth()
    })
  })
})

test.describe('the signed-in routes', () => {
  test('screens-2, screens-3: / is the main screen with its three sections', async ({ page }) => {
    await signIn(page)
    await expect(banger(page)).toBeEnabled()
    const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('button')
    await expect(sections).toHaveText([/^Discover/, /^My Library/, /^Community/])
    await expect(sections.first()).toHaveAttribute('aria-current', 'page')
    await expect(hero(page)).toHaveCount(0)
  })

  test("screens-2: /profile is the listener's own profile, also on reload", async ({ page }) => {
    const email = await signIn(page, { path: '/profile' })
    for (const open of [() => page.goto('/profile'), () => page.reload()]) {
      expect((await open())?.status()).toBe(200)
      await expect(page.getByRole('button', { name: 'Back to Discovery' })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1, name: email })).toBeVisible()
    }
  })

  test('diagnostics-1, screens-2, screens-7: the diagnostic pages have their paths, and nothing links to them', async ({
    page,
  }) => {
    await signIn(page)
    await expect(banger(page)).toBeEnabled()
    const targets = await page
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(targets).toContain(SUB_PATH + logout.path)
    for (const path of PAGES) {
      expect(targets).not.toContain(SUB_PATH + path)
      expect((await page.goto(path))?.status()).toBe(200)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(
        /Page Not Found|Sign in|Never Before/,
      )
      expect(pathAt(page.url())).toBe(path)
    }
  })

  test('diagnostics-1: a listener without access to the diagnostic pages sees the 404 page', async ({
    page,
  }) => {
    await startSession(page.context())
    const calls = callsOf(page)
    await page.route(getCurrentUser.path, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), maySeeDiagnostics: false } })
    })
    for (const path of PAGES) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText('Page Not Found')
    }
    expect(new Set(calls)).toEqual(new Set(['GET /api/auth/user']))
  })

  test('screens-2, signin-4: any other path, /auth and /login too, is a 404 page with a hint about the router', async ({
    page,
  }) => {
    await startSession(page.context())
    for (const path of ['/no-such-page', '/auth', '/login', '/profile/somebody']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText('Page Not Found')
      await expect(page.getByText(/router/)).toBeVisible()
      // BANGER's width and weight, then BUST's (screens-19).
      const digits = page.getByText('4', { exact: true })
      await expect(digits.first()).toHaveCSS('font-stretch', '150%')
      await expect(digits.last()).toHaveCSS('font-stretch', '50%')
    }
    await page.getByRole('button', { name: 'Go Home' }).click()
    await expect(banger(page)).toBeEnabled()
  })
})

test.describe('the signed-out routes', () => {
  test('screens-2, calls-2: / is the landing page, without an error', async ({ page }) => {
    await page.goto('/')
    await expect(hero(page)).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  test('screens-2: /auth and /login are sign-in screens', async ({ page }) => {
    await page.goto('/auth')
    await expect(authScreen(page)).toBeVisible()
    await page.goto('/login')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in')
  })

  test('screens-2, people-12: any other path is the sign-in screen, and no private data is requested', async ({
    page,
  }) => {
    const calls = callsOf(page)
    for (const path of ['/profile', '/microgenres', '/verification', '/no-such-page']) {
      await page.goto(path)
      await expect(authScreen(page), path).toBeVisible()
      await expect(page.getByText('Page Not Found')).toHaveCount(0)
    }
    // A challenge lets the e-mail field offer passkeys (signin-20).
    const asked = new Set(calls.filter((call) => call !== 'GET /api/auth/passkeys/challenge'))
    expect(asked).toEqual(new Set(['GET /api/auth/user']))
  })

  test.describe('with an unknown token', () => {
    test.use({ expectedErrors: [/status of 404/] })

    test('@long screens-5: no stats and no suggestions are requested', async ({ page }) => {
      const calls = callsOf(page)
      for (const path of ['/', '/auth', '/share/collection/nobody-shared-this']) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      }
      await page.waitForLoadState('networkidle')
      expect(calls.length).toBeGreaterThan(0)
      expect(calls.filter((call) => /stats|suggestions|users/.test(call))).toEqual([])
    })
  })
})

test.describe('a session that ends while the page is open', () => {
  test.use({ expectedErrors: [/status of 401/] })

  for (const { where, path, act, becomes } of [
    { where: 'main screen', path: '/', act: (page: Page) => page.keyboard.press('2'), becomes: hero },
    {
      where: 'profile page',
      path: '/profile',
      act: (page: Page) => page.getByRole('switch', { name: 'No e-mails' }).click(),
      becomes: authScreen,
    },
  ]) {
    test(`signin-2, people-12: the ${where} changes to the signed-out routes`, async ({ page }) => {
      // The last call that the profile page makes by itself; the next one is the listener's.
      const settled = path === '/profile' && page.waitForResponse(/type=bust/)
      await signIn(page, { path })
      await settled
      await expect(
        banger(page)
          .or(page.getByRole('switch', { name: 'No e-mails' }))
          .first(),
      ).toBeEnabled()
      await page.request.get(logout.path)
      await act(page)
      await expect(becomes(page)).toBeVisible()
      await expect(page.getByText('Loading...', { exact: true })).toBeHidden()
    })
  }
})

test.describe('how calls are made', () => {
  test('calls-1: a rating is sent with the cookie, as JSON', async ({ page, context }) => {
    await signIn(page)
    await expect(banger(page)).toBeEnabled()
    const [request] = await Promise.all([
      page.waitForRequest((sent) => isCall(sent.url(), rateAndAdvance)),
      page.keyboard.press('ArrowRight'),
    ])
    const headers = await request.allHeaders()
    const [cookie] = await context.cookies()
    expect(headers.cookie).toContain(`${cookie?.name}=${cookie?.value}`)
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(request.postData() ?? '')).toMatchObject({
      microgenreId: expect.any(String),
      songId: expect.any(String),
      rating: 'banger',
    })
  })

  test('@long calls-3, signin-1: a minute, focus and a reconnect cause no further requests', async ({
    page,
  }) => {
    await page.clock.install()
    const calls = callsOf(page)
    await signIn(page)
    await expect(banger(page)).toBeEnabled()
    await page.keyboard.press('2')
    await expect(page.getByRole('heading', { name: 'No Bangers Yet' })).toBeVisible()
    await page.clock.runFor(60_000)
    await page.evaluate(() => {
      for (const name of ['blur', 'focus', 'offline', 'online']) window.dispatchEvent(new Event(name))
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    })
    await page.clock.runFor(1000)
    await page.keyboard.press('1')
    await page.keyboard.press('2')
    await expect(page.getByRole('heading', { name: 'No Bangers Yet' })).toBeVisible()

    expect(calls.filter((call) => call === `GET ${listRatings.path}`)).toHaveLength(1)
    const reads = calls.filter((call) => call.startsWith('GET') && !/next-song|music/.test(call))
    expect(reads).toHaveLength(new Set(reads).size)
  })

  test.describe('that fail', () => {
    test.use({ expectedErrors: [SERVER_ERROR] })

    test('calls-3: a failed call is not repeated by itself', async ({ page }) => {
      await page.clock.install()
      await signIn(page)
      await expect(banger(page)).toBeEnabled()
      await fail(page, listRatings)
      const calls = callsOf(page)
      await page.keyboard.press('2')
      await expect(page.getByText('Your library did not load.')).toBeVisible()
      await page.clock.runFor(60_000)
      expect(calls.filter((call) => call === `GET ${listRatings.path}`)).toHaveLength(1)
    })

    test('calls-2, signin-1: when the session check fails, the page shows the failure and retries only on request', async ({
      page,
    }) => {
      const calls = callsOf(page)
      const mend = await fail(page, getCurrentUser)
      await page.goto('/')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('No answer from the server')
      expect(calls).toEqual(['GET /api/auth/user'])
      await mend()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(hero(page)).toBeVisible()
    })
  })
})

const isCall = (address: string, { path }: Endpoint) => pathAt(address) === path
