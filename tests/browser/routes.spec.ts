import type { Page } from '@playwright/test'
import { getCurrentUser, logout, returnFromGoogle } from '../../contract/auth.ts'
import { listRatings } from '../../contract/library.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { pathAt, SUB_PATH } from '../harness/tier.ts'
import { expect, signIn, startSession, test } from './fixtures.ts'
import { makeListener, makeSharedAchievement, makeSharedCollection, makeSharedMix } from './listeners.ts'
import { failCall, holdResponse, SERVER_ERROR, urlPattern, watchCalls } from './mockResponses.ts'
import { openDiscover, pad, toast } from './testSongs.ts'

/** The pages for operators. */
const PAGES = ['/verification', '/auth-test', '/youtube-optimization', '/coverage', '/feedback', '/admin']

const hero = (page: Page) => page.getByRole('heading', { name: 'Discover Music Like Never Before' })
const authScreen = (page: Page) => page.getByRole('heading', { level: 1, name: 'Sign in to start rating' })

test('screens-1, signin-1: Loading... shows until the session is known, which is requested once', async ({
  page,
}) => {
  const calls = watchCalls(page)
  const release = await holdResponse(page, getCurrentUser)
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
  test('@long sharing-11, screens-9, screens-2, community-20: shared pages and pages for reading open signed out and signed in, also on reload', async ({
    page,
  }) => {
    const sharer = await makeListener()
    const places = [
      { path: await makeSharedCollection(sharer.api, 'Night buses'), title: 'Night buses' },
      { path: await makeSharedAchievement(sharer.api), title: 'First Banger' },
      { path: '/microgenres/zydeco', title: 'zydeco' },
      { path: await makeSharedMix(sharer.api, 'Last tram'), title: 'Last tram' },
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
})

test.describe('the signed-in routes', () => {
  test('diagnostics-1, screens-7: nothing links to the diagnostic pages, and without access they are a 404 page', async ({
    page,
  }) => {
    await openDiscover(page)
    const links = page.getByRole('link')
    const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(targets).toContain(SUB_PATH + logout.path)
    for (const path of PAGES) expect(targets).not.toContain(SUB_PATH + path)
    await page.goto('about:blank')
    const calls = watchCalls(page)
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
    await expect(pad(page, 'BANGER')).toBeEnabled()
  })

  test('signin-4: a sign-in that failed, opened by somebody signed in, leads to the main screen with the reason', async ({
    page,
  }) => {
    await startSession(page.context())
    for (const [path, why] of [
      ['/auth?error=link-used', 'This sign-in link was used already.'],
      ['/login?error=provider-unavailable', 'This sign-in method is not available right now.'],
      [
        `${returnFromGoogle.path}?code=old&state=old`,
        'Signing in with Google took too long, or was started elsewhere.',
      ],
    ] as const) {
      await page.goto(path)
      await expect(toast(page), path).toContainText(`You are signed in${why}`)
      await expect(pad(page, 'BANGER')).toBeEnabled()
      expect(pathAt(page.url())).toMatch(/^\/(\?|$)/)
    }
  })
})

test.describe('the signed-out routes', () => {
  test('screens-2, people-12: any other path is the sign-in screen, and no private data is requested', async ({
    page,
  }) => {
    const calls = watchCalls(page)
    for (const path of ['/profile', '/microgenres', '/verification', '/no-such-page']) {
      await page.goto(path)
      await expect(authScreen(page), path).toBeVisible()
      await expect(page.getByText('Page Not Found')).toHaveCount(0)
      for (const words of ['Please Log In', 'You need to log in to view your profile.'])
        await expect(page.getByText(words, { exact: true })).toHaveCount(path === '/profile' ? 1 : 0)
    }
    // A challenge lets the e-mail field offer passkeys (signin-20).
    const requests = new Set(calls.filter((call) => call !== 'GET /api/auth/passkeys/challenge'))
    expect(requests).toEqual(new Set(['GET /api/auth/user']))
  })
})

test.describe('a session that ends while the page is open', () => {
  test.use({ expectedErrors: [/status of 401/] })

  test('signin-2, people-12: the profile page changes to the sign-in screen', async ({ page }) => {
    const setting = page.getByRole('switch', { name: 'No e-mails' })
    // The session ends as the listener's call leaves: no earlier one of the page's own may meet its end.
    await page.route(urlPattern(updateProfile), async (route) => {
      await page.request.get(logout.path)
      await route.continue()
    })
    await signIn(page, { path: '/profile' })
    await setting.click()
    await expect(authScreen(page)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Please Log In' })).toBeVisible()
  })
})

test.describe('how calls are made', () => {
  test('@long calls-3, signin-1: a minute, focus and a reconnect cause no further requests but for who is signed in', async ({
    page,
  }) => {
    await page.clock.install()
    const calls = watchCalls(page)
    await openDiscover(page)
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
    const reads = calls.filter((call) => call.startsWith('GET') && !/next-song|music|auth\/user/.test(call))
    expect(reads).toHaveLength(new Set(reads).size)
  })

  test.describe('that fail', () => {
    test.use({ expectedErrors: [SERVER_ERROR] })

    test('calls-3: a failed call is not repeated by itself', async ({ page }) => {
      await page.clock.install()
      await openDiscover(page)
      await failCall(page, listRatings)
      const calls = watchCalls(page)
      await page.keyboard.press('2')
      await expect(page.getByText('Your library did not load.')).toBeVisible()
      await page.clock.runFor(60_000)
      expect(calls.filter((call) => call === `GET ${listRatings.path}`)).toHaveLength(1)
    })

    test('calls-9: a library that failed is not asked for at every visit', async ({ page }) => {
      const start = Date.now()
      await page.clock.setFixedTime(start)
      await openDiscover(page)
      await failCall(page, listRatings)
      const calls = watchCalls(page)
      const visit = async () => {
        await page.keyboard.press('1')
        await page.keyboard.press('2')
        await expect(page.getByText('Your library did not load.')).toBeVisible()
        return calls.filter((call) => call === `GET ${listRatings.path}`).length
      }
      expect([await visit(), await visit(), await visit()]).toEqual([1, 1, 1])
      await page.clock.setFixedTime(start + 10_000)
      expect([await visit(), await visit()]).toEqual([2, 2])
    })

    test('calls-2, signin-1: when the session check fails, the page shows the failure and retries only on request', async ({
      page,
    }) => {
      const calls = watchCalls(page)
      const restore = await failCall(page, getCurrentUser)
      await page.goto('/')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('No answer from the server')
      expect(calls).toEqual(['GET /api/auth/user'])
      await restore()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(hero(page)).toBeVisible()
    })
  })
})

test('files in several encodings say so to caches, and /index.html has the settings of a page', async ({
  page,
}) => {
  const built = await (await page.request.get('/privacy')).text()
  const [file = ''] = /\/assets\/[\w.-]+\.js/.exec(built) ?? []
  const answer = await page.request.get(file)
  expect(answer.headers()).toMatchObject({
    vary: 'accept-encoding',
    'cache-control': expect.stringContaining('immutable'),
  })
  expect(await (await page.request.get('/index.html')).text()).toContain('youtubePlayerUrl')
})
