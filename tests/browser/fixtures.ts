import { setTimeout as sleep } from 'node:timers/promises'
import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  devices,
  type Page,
  request as requests,
} from '@playwright/test'
import { sendMagicLink } from '../../contract/auth.ts'
import { savePreferences as answerByRequest } from '../../contract/onboarding.ts'
import type { Rating } from '../../contract/shapes.ts'
import { findOrCreateAccount } from '../../server/auth/accounts.ts'
import { createSession } from '../../server/auth/sessions.ts'
import { savePreferences } from '../../server/onboarding/routes.ts'
import { findSecrets } from '../harness/findSecrets.ts'
import { SUB_PATH } from '../harness/tier.ts'
import { expect, goBelowSubPath } from './belowSubPath.ts'
import { rateSongs } from './listeners.ts'
import { startTestServer, type TestServer } from './testServer.ts'

export { expect }

interface Fixtures {
  /** Patterns of console errors that this test expects. Any other one fails it. */
  expectedErrors: RegExp[]
  /** Whether this test expects violations of the Content-Security-Policy. Otherwise any violation fails it. */
  violatesPolicy: boolean
  /** Resets between tests, so that videos and limits of one test do not affect the next. */
  resetSharedState: undefined
}

interface WorkerFixtures {
  /** One test server for each of the runner's workers. */
  app: TestServer
  /** Violations of the Content-Security-Policy since the test began, in every context. */
  violations: string[]
  /** Lets tests name paths of the application below TEST_SUB_PATH. */
  subPath: undefined
}

/** The server of this worker, for functions that sign somebody in. */
let running: TestServer | undefined

export const test = base.extend<Fixtures, WorkerFixtures>({
  violations: [async ({}, use) => use([]), { scope: 'worker' }],

  subPath: [
    async ({ browser }, use) => {
      await goBelowSubPath(browser)
      await use(undefined)
    },
    { scope: 'worker', auto: SUB_PATH !== '' },
  ],

  browser: [
    async ({ browser, violations }, use) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (options) => watchPolicy(await newContext(options), violations)
      await use(browser)
    },
    { scope: 'worker' },
  ],

  app: [
    async ({}, use) => {
      const app = await startTestServer()
      running = app
      await use(app)
      await app.close()
    },
    { scope: 'worker', timeout: 150_000 },
  ],

  baseURL: async ({ app }, use) => use(app.url),

  expectedErrors: [[], { option: true }],

  violatesPolicy: [false, { option: true }],

  resetSharedState: [
    async ({ app, violations, violatesPolicy }, use) => {
      await app.db`delete from provider_cache`
      await app.db`delete from provider_quotas`
      await app.db`delete from limit_counters`
      // Last, so that the requests of the previous test's pages have been counted.
      const { youtube, coverart, deezer, listenbrainz, youtubeApi, spotify } = app
      for (const standIn of [youtube, coverart, deezer, listenbrainz, youtubeApi, spotify]) standIn.reset()
      for (const provider of [app.google, app.facebook]) provider.reset()
      violations.length = 0
      const before = app.output().length
      await use(undefined)
      if (!violatesPolicy) expect(violations, 'violations of the Content-Security-Policy').toEqual([])
      const lines = app.output().slice(before).split('\n')
      const secrets = lines.filter((line) => findSecrets(line).length > 0)
      expect(secrets, 'e-mails and tokens in the log of the server').toEqual([])
    },
    { auto: true },
  ],

  context: async ({ context, app, expectedErrors }, use) => {
    waitWhileBusy(context.request)
    const unexpected: string[] = []
    const requestFailures: string[] = []
    context.on('request', (request) => {
      const { origin } = new URL(app.url)
      if (request.url().startsWith(`${origin}/`) && !request.url().startsWith(`${app.url}/`))
        requestFailures.push(request.url())
    })
    context.on('console', (message) => {
      if (message.type() !== 'error') return
      const text = `${message.text()} ${message.location().url}`
      if (isUsualAnswer(text) || expectedErrors.some((pattern) => pattern.test(text))) return
      unexpected.push(text)
    })
    context.on('weberror', (error) => unexpected.push(error.error().message))
    await use(context)
    // Pages may still have requests open, which fail when they close.
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(unexpected, 'errors in the console').toEqual([])
    expect(requestFailures, 'requests outside of the path of PUBLIC_URL').toEqual([])
  },
})

const VIOLATION = 'Content-Security-Policy violated: '

async function watchPolicy(context: BrowserContext, violations: string[]): Promise<BrowserContext> {
  await context.addInitScript(reportViolations, VIOLATION)
  context.on('console', (message) => {
    if (message.text().startsWith(VIOLATION)) violations.push(message.text().slice(VIOLATION.length))
  })
  return context
}

/** Runs in every page and frame, before any other script. */
function reportViolations(beginning: string): void {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.info(`${beginning}${effectiveDirective} by ${blockedURI}`),
  )
}

/** Signed out, GET /api/auth/user answers 401 (signin-1); a busy machine answers 503, and the page tries again. */
const isUsualAnswer = (text: string) =>
  /401 \(Unauthorized\).*\/api\/auth\/user$|503 \(Service Unavailable\)/.test(text)

/**
 * Replaces the tab by a new one, which makes no requests after its session ended. A tab that navigated to
 * about:blank would let Chromium request the icon of the previous page from there, and reject it.
 */
export async function changeTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage()
  await page.close()
  return tab
}

let people = 0

/** An address that is unique in this run. */
export const newEmail = () => `listener-${process.pid}-${++people}@example.org`

interface Person {
  email?: string
  /** Has not answered the questionnaire, which then opens on the main screen. */
  newcomer?: boolean
}

/**
 * Signs the page's browser in, rates that many songs, and opens the main screen. `until` is for tests that hold back
 * embedded pages, which may count as part of the load.
 */
export async function signIn(
  page: Page,
  {
    path = '/',
    until = 'load',
    rated,
    ...person
  }: Person & {
    path?: string
    until?: 'load' | 'domcontentloaded'
    rated?: Partial<Record<Rating, number>>
  } = {},
): Promise<string> {
  const email = await startSession(page.context(), person)
  if (rated) await rateSongs(page.request, rated)
  await page.goto(path, { waitUntil: until })
  return email
}

/** Signs a browser in without a page: by a row of the database and a cookie. The former session ends. */
export async function startSession(context: BrowserContext, person: Person = {}): Promise<string> {
  const { email, cookie } = await makeSession(person)
  await context.addCookies([cookie])
  return email
}

/** Signs a client without a browser in. Dispose of it when the test ends. */
export async function signedInRequest(person: Person = {}): Promise<APIRequestContext & { id: string }> {
  const { id, cookie } = await makeSession(person)
  const request = await requests.newContext({
    baseURL: running?.url,
    storageState: { cookies: [cookie], origins: [] },
  })
  waitWhileBusy(request)
  return Object.assign(request, { id })
}

/** Signs in as the server does, and saves the questionnaire. */
async function makeSession({ email = newEmail(), newcomer = false }: Person) {
  if (!running) throw new Error('There is no server: the test does not use the fixtures.')
  const { db } = running
  const id = await findOrCreateAccount(db, email)
  const token = await createSession(db, id, devices['Desktop Chrome'].userAgent)
  if (token === null) throw new Error(`${email} is suspended.`)
  if (!newcomer) await savePreferences(db, id, QUESTIONNAIRE_ANSWERS)
  const cookie = {
    name: 'session',
    value: token,
    domain: 'localhost',
    path: `${SUB_PATH}/`,
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Lax' as const,
  }
  return { id, email, cookie }
}

const QUESTIONNAIRE_ANSWERS = {
  energyPreference: 'mixed',
  vocalPreference: 'both',
  familiarityLevel: 'indie',
  musicMood: 'rhythmic',
} as const

/** Signs in by a real magic link, without following its redirect. The cookies stay with `request`. */
export async function signInByLink(request: APIRequestContext, email: string): Promise<void> {
  waitWhileBusy(request)
  const sent = await request.post(sendMagicLink.path, { data: { email } })
  const { magicLink } = (await sent.json()) as { magicLink: string }
  await request.get(magicLink, { maxRedirects: 0 })
}

const waiting = new WeakSet<APIRequestContext>()

/** Retries a 503 of a busy machine after its `Retry-After`. */
function waitWhileBusy(request: APIRequestContext): void {
  if (waiting.has(request)) return
  waiting.add(request)
  for (const method of ['get', 'post', 'put', 'delete'] as const) {
    const send = request[method].bind(request)
    request[method] = async (url, options) => {
      for (let tries = 1; ; tries++) {
        const response = await send(url, options)
        if (response.status() !== 503 || tries === 20) return response
        await sleep(Number(response.headers()['retry-after'] ?? 1) * 1000)
      }
    }
  }
}

/** Keeps the questionnaire from opening. */
export async function answerQuestionnaire(request: APIRequestContext): Promise<void> {
  await request.post(answerByRequest.path, { data: QUESTIONNAIRE_ANSWERS })
}
