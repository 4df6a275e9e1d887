import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  getCurrentUser,
  type ProviderName,
  returnFromFacebook,
  returnFromGoogle,
  returnFromOpenId,
  returnFromReplit,
  signInWithFacebook,
  signInWithGoogle,
  signInWithOpenId,
  signInWithReplit,
} from '../../contract/auth.ts'
import { deleteAccount, updateProfile } from '../../contract/profiles.ts'
import { removePhoto } from '../../contract/uploads.ts'
import { PRODUCTION, setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { type Visitor, visitorAt, visitProvider } from '../harness/visitor.ts'
import { startFacebook } from '../stand-ins/facebook.ts'
import { startOpenId } from '../stand-ins/openId.ts'

/*
 * Google, Replit and the operator's own are real OpenID providers, Facebook is a stand-in that follows its
 * documentation; all on loopback.
 */

const google = setUpService(() => startOpenId({ callback: returnFromGoogle.path }))
// Replit's application has no secret, and this one returns the claims from /me only.
const replit = setUpService(() =>
  startOpenId({ callback: returnFromReplit.path, isPublic: true, smallIdToken: true }),
)
const oidc = setUpService(() =>
  startOpenId({ callback: returnFromOpenId.path, smallIdToken: true, onlyHeader: true }),
)
const facebook = setUpService(startFacebook)

const app = setUpApp(() => ({
  ...google.env('GOOGLE'),
  ...replit.env('REPLIT'),
  ...oidc.env('OIDC'),
  ...facebook.env,
}))

const starts = {
  google: signInWithGoogle,
  facebook: signInWithFacebook,
  replit: signInWithReplit,
  oidc: signInWithOpenId,
}
const names = ['google', 'facebook', 'replit', 'oidc'] as const
const openIds = ['google', 'replit', 'oidc'] as const
const callbacks = { google: returnFromGoogle, replit: returnFromReplit, oidc: returnFromOpenId }

interface PersonOptions {
  id?: string
  email?: string
  isVerified?: unknown
  firstName?: string
  lastName?: string
  picture?: string
}

let people = 0
const newEmail = () => `provided-${++people}@example.test`
const newSubject = () => String(9_000_000 + ++people)

/** Sets the person who signs in at every provider. */
function seat({
  id = newSubject(),
  email,
  isVerified = true,
  firstName,
  lastName,
  picture,
}: PersonOptions = {}) {
  const verified = { email, email_verified: isVerified }
  for (const provider of [google, oidc])
    provider.seat({ sub: id, ...verified, given_name: firstName, family_name: lastName, picture })
  replit.seat({
    sub: id,
    ...verified,
    first_name: firstName,
    last_name: lastName,
    profile_image_url: picture,
  })
  facebook.seat({
    id,
    email,
    first_name: firstName,
    last_name: lastName,
    picture: picture ? { data: { url: picture, is_silhouette: false, height: 200, width: 200 } } : undefined,
  })
  return id
}

beforeEach(() => {
  for (const provider of [google, replit, oidc, facebook]) provider.reset()
  seat()
  return app.db`delete from limit_counters`
})

/** Starts the sign-in; returns the address at the provider. */
async function startSignIn(browser: Visitor, name: ProviderName): Promise<string> {
  const { status, headers } = await browser.call(starts[name])
  expect(status).toBe(302)
  return headers.location ?? ''
}

/** Makes the callback with what the provider returned, or with something else. */
const comeBack = (browser: Visitor, address: URL) => browser.raw(address.pathname + address.search)

/** The whole sign-in, to the provider and back. */
async function signInBy(name: ProviderName, browser = app.visitor(), choice: 'Allow' | 'Deny' = 'Allow') {
  const address = await visitProvider(await startSignIn(browser, name), choice)
  return { browser, answer: await comeBack(browser, address), address }
}

/** The same with a modified callback address: nobody is signed in. */
async function expectRefusal(
  name: ProviderName,
  change: (address: URL) => void,
  error: string,
  server = app,
) {
  const browser = server.visitor()
  const address = await visitProvider(await startSignIn(browser, name), 'Allow')
  change(address)
  expect(await comeBack(browser, address)).toMatchObject(toSignInScreen(`${name}-${error}`))
  await expectNobody(browser)
}

const toSignInScreen = (error: string) => ({ status: 302, headers: { location: `/auth?error=${error}` } })
const SIGNED_IN = { status: 302, headers: { location: '/' } }

/** The addresses from which the server will fetch a picture of the listener. */
async function picturesWaiting(browser: Visitor): Promise<unknown[]> {
  const { id } = (await browser.call(getCurrentUser)).body
  const rows = await app.db`select address from provider_pictures where user_id = ${id}`
  return rows.map(({ address }) => address)
}

/** Checks that the page is signed out. */
async function expectNobody(browser: Visitor) {
  expect((await browser.call(getCurrentUser)).status).toBe(401)
}

describe.each(names)('%s', (name) => {
  test("signin-5: a new person gets an account with the provider's name and picture", async () => {
    const email = newEmail()
    seat({ email, firstName: 'Ada', lastName: 'Lovelace', picture: 'https://pictures.example/ada.jpg' })

    const { browser, answer } = await signInBy(name)
    expect(answer).toMatchObject(SIGNED_IN)
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^signing-in=; Max-Age=0;/),
      expect.stringMatching(/^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect(await picturesWaiting(browser)).toEqual(['https://pictures.example/ada.jpg'])
    expect((await browser.call(getCurrentUser)).body).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      // The server fetches it later (uploads-13).
      profileImageUrl: null,
      // Facebook does not say that an address is verified (signin-7).
      email: name === 'facebook' ? null : email,
      isPublic: false,
    })
  })

  test("a returning person gets the same account, even if the provider's data has changed", async () => {
    const id = seat({ firstName: 'Ada', picture: 'https://pictures.example/1.jpg' })
    const first = await signInBy(name)
    const { body: before } = await first.browser.call(getCurrentUser)
    seat({ id, email: newEmail(), firstName: 'Grace', picture: 'https://pictures.example/2.jpg' })
    const again = await signInBy(name)

    expect((await again.browser.call(getCurrentUser)).body).toEqual(before)
    // Addresses expire: the newest one counts while the picture waits.
    expect(await picturesWaiting(again.browser)).toEqual(['https://pictures.example/2.jpg'])
  })

  test('uploads-13: a picture that was fetched or removed is not requested again', async () => {
    const id = seat({ picture: 'https://pictures.example/1.jpg' })
    const { browser } = await signInBy(name)
    await browser.call(removePhoto)
    expect(await picturesWaiting(browser)).toEqual([])
    seat({ id, picture: 'https://pictures.example/2.jpg' })
    const again = await signInBy(name)

    expect(await picturesWaiting(again.browser)).toEqual([])
  })

  test('without an e-mail the account has none (signin-7); once it is deleted, the same person gets a new one', async () => {
    const { browser } = await signInBy(name)
    const { body } = await browser.call(getCurrentUser)

    expect(body).toMatchObject({ email: null, firstName: null, lastName: null, profileImageUrl: null })
    expect((await browser.call(deleteAccount, { body: { confirmation: 'DELETE' } })).status).toBe(200)
    expect(await app.db`select from identities where user_id = ${body.id}`).toHaveLength(0)
    const again = await signInBy(name)
    expect((await again.browser.call(getCurrentUser)).body.id).not.toBe(body.id)
  })

  test('a person who declines at the provider returns to the sign-in screen with a message', async () => {
    const { browser, answer } = await signInBy(name, app.visitor(), 'Deny')

    expect(answer).toMatchObject(toSignInScreen(`${name}-denied`))
    await expectNobody(browser)
  })

  test.each(['down', 'failing', 'maintenance'] as const)(
    'while it is %s people return to the sign-in screen; later it works without a restart',
    async (mode) => {
      const browser = app.visitor()
      const address = await visitProvider(await startSignIn(browser, name), 'Allow')
      standInOf(name).answer(mode)

      expect(await comeBack(browser, address)).toMatchObject(toSignInScreen(`${name}-unreachable`))
      await expectNobody(browser)
      standInOf(name).answer('ok')
      expect((await signInBy(name)).answer).toMatchObject(SIGNED_IN)
    },
  )

  test('a callback is rejected without a start, in another browser and the second time', async () => {
    const stale = toSignInScreen(`${name}-stale`)
    const browser = app.visitor()
    const address = await visitProvider(await startSignIn(browser, name), 'Allow')
    const mark = browser.cookies.get('signing-in') ?? ''

    expect(await app.visitor().raw(address.pathname)).toMatchObject(stale)
    expect(await comeBack(app.visitor(), address)).toMatchObject(stale)
    const other = app.visitor()
    await startSignIn(other, name)
    expect(await comeBack(other, address)).toMatchObject(stale)
    expect(await comeBack(browser, address)).toMatchObject(SIGNED_IN)
    expect(await comeBack(browser, address)).toMatchObject(stale)
    // Even with a stolen copy of all the browser's cookies: the provider accepts a code once.
    const thief = visitorAt(app.url, new Map([['signing-in', mark]]))
    expect(await comeBack(thief, address)).toMatchObject(toSignInScreen(`${name}-refused`))
    await Promise.all([other, thief].map(expectNobody))
  })

  test('HEAD of a callback signs nobody in and does not use the code (calls-10)', async () => {
    const browser = app.visitor()
    const address = await visitProvider(await startSignIn(browser, name), 'Allow')

    const head = await browser.raw(address.pathname + address.search, { method: 'HEAD' })
    expect(head).toMatchObject({ ...SIGNED_IN, text: '' })
    await expectNobody(browser)
    expect(await comeBack(browser, address)).toMatchObject(SIGNED_IN)
    expect((await browser.call(getCurrentUser)).status).toBe(200)
  })

  test.each<[string, (url: URL) => void, string]>([
    ['another state', ({ searchParams }) => searchParams.set('state', 'x'.repeat(43)), 'stale'],
    ['no state', ({ searchParams }) => searchParams.delete('state'), 'stale'],
    ['an empty state', ({ searchParams }) => searchParams.set('state', ''), 'stale'],
    [
      'a code that the provider did not issue',
      ({ searchParams }) => searchParams.set('code', 'x'),
      'refused',
    ],
    ['no code', ({ searchParams }) => searchParams.delete('code'), 'refused'],
    ['a fault', withError('invalid_scope'), 'refused'],
    ['a fault of the provider', withError('server_error'), 'unreachable'],
    ['a request to wait', withError('temporarily_unavailable'), 'unreachable'],
  ])('a callback with %s signs nobody in', (_, change, error) => expectRefusal(name, change, error))

  test('a state cookie that was changed or extended is rejected', async () => {
    const browser = app.visitor()
    const address = await visitProvider(await startSignIn(browser, name), 'Allow')
    const [until = '', random = ''] = (browser.cookies.get('signing-in') ?? '').split('.')

    for (const mark of [`${Number(until) + 1}.${random}`, `${until}.x${random}`, until, 'x', '.', 'NaN.x']) {
      const forger = visitorAt(app.url, new Map([['signing-in', mark]]))
      expect(await comeBack(forger, address)).toMatchObject(toSignInScreen(`${name}-stale`))
      await expectNobody(forger)
    }
  })

  test('a sign-in that takes longer than ten minutes must start again', async () => {
    const browser = app.visitor()
    const address = await visitProvider(await startSignIn(browser, name), 'Allow')
    await runAfter(10 * 60_000 + 1000, async () => {
      expect(await comeBack(browser, address)).toMatchObject(toSignInScreen(`${name}-stale`))
    })
    await expectNobody(browser)
  })

  test('the previous session ends, so a planted session is of no use (fixation)', async () => {
    const victim = await app.signIn(newEmail())
    const plantedCookies = new Map(victim.cookies)
    await signInBy(name, victim)

    expect(victim.cookies.get('session')).not.toBe(plantedCookies.get('session'))
    await expectNobody(visitorAt(app.url, plantedCookies))
  })

  test('leads to / only, and back to PUBLIC_URL, whatever the address or Host say', async () => {
    const browser = app.visitor()
    const redirectParameters =
      'returnTo=https://evil.example&redirect=//evil.example&next=https://evil.example'
    const start = await browser.raw(`${starts[name].path}?${redirectParameters}`, {
      headers: { host: 'evil.example' },
    })
    const address = await visitProvider(start.headers.location ?? '', 'Allow')
    expect(address.origin).toBe(app.url.replace('127.0.0.1', 'localhost'))

    const answer = await browser.raw(`${address.pathname}${address.search}&${redirectParameters}`)
    expect(answer).toMatchObject(SIGNED_IN)
  })

  test('two callbacks at once create one account', async () => {
    seat()
    const tabs = [app.visitor(), app.visitor(), app.visitor(), app.visitor()]
    const addresses = await Promise.all(
      tabs.map(async (tab) => visitProvider(await startSignIn(tab, name), 'Allow')),
    )
    await Promise.all(tabs.map((tab, i) => comeBack(tab, addresses[i] ?? new URL(app.url))))
    const users = await Promise.all(tabs.map(async (tab) => (await tab.call(getCurrentUser)).body.id))

    expect(users[0]).toMatch(/^\d+$/)
    expect(new Set(users).size).toBe(1)
  })

  test('a suspended account cannot sign in', async () => {
    seat({ firstName: 'Mallory' })
    const { browser } = await signInBy(name)
    const { id } = (await browser.call(getCurrentUser)).body
    await app.db`update users set suspended_at = now() where id = ${id}`
    const again = await signInBy(name)

    expect(again.answer).toMatchObject(toSignInScreen('suspended'))
    expect(again.browser.cookies.get('session')).toBeUndefined()
    expect(await app.db`select from sessions where user_id = ${id}`).toHaveLength(1)
  })

  test('names are normalized like typed ones, and only web addresses are stored for pictures', async () => {
    seat({
      firstName: `  A\u0000da\nB.\u202E\u200B `,
      lastName: '🎵'.repeat(40),
      picture: 'javascript:alert(1)',
    })
    const { browser } = await signInBy(name)

    expect((await browser.call(getCurrentUser)).body).toMatchObject({
      firstName: 'A da B.',
      lastName: '🎵'.repeat(30),
      profileImageUrl: null,
    })
    expect(await picturesWaiting(browser)).toEqual([])
  })
})

describe.each(openIds)('%s, by OpenID Connect', (name) => {
  const provider = () => ({ google, replit, oidc })[name]

  test('sends code, PKCE, state and nonce, and does not reveal the verifier', async () => {
    const browser = app.visitor()
    const { headers } = await browser.call(starts[name])
    const requests = new URL(headers.location ?? '')

    expect(Object.fromEntries(requests.searchParams)).toEqual({
      client_id: provider().clientId,
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: app.url.replace('127.0.0.1', 'localhost') + callbacks[name].path,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^signing-in=\d+\.[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    const other = new URL(await startSignIn(app.visitor(), name))
    for (const secret of ['state', 'nonce', 'code_challenge'])
      expect(other.searchParams.get(secret)).not.toBe(requests.searchParams.get(secret))
  })

  test('a verified address signs in to the account that has it, which keeps its name (signin-7)', async () => {
    const ada = await app.signIn(newEmail())
    await ada.call(updateProfile, { body: { firstName: 'Countess' } })
    seat({ email: ada.email.toUpperCase(), firstName: 'Ada', picture: 'https://pictures.example/a.jpg' })
    const { browser } = await signInBy(name)

    expect((await browser.call(getCurrentUser)).body).toMatchObject({
      id: ada.id,
      email: ada.email,
      firstName: 'Countess',
      profileImageUrl: null,
    })
  })

  test.each([false, undefined, null, 'false', 1])(
    'an address whose email_verified is %s is only claimed: the account is new and has no address (signin-7)',
    async (isVerified) => {
      const ada = await app.signIn(newEmail())
      const id = seat({ email: ada.email, isVerified: isVerified ?? null })
      const { browser } = await signInBy(name)
      const { body } = await browser.call(getCurrentUser)

      expect(body).toMatchObject({ email: null })
      expect(body.id).not.toBe(ada.id)
      // An id is unique within its issuer only (signin-14).
      const stored = name === 'oidc' ? `oidc ${oidc.issuer}` : name
      expect(
        await app.db`select claimed_email from identities where provider = ${stored} and subject = ${id}`,
      ).toEqual([{ claimedEmail: ada.email }])
    },
  )

  test('a claimed address without an account is free for its owner', async () => {
    const email = newEmail()
    seat({ email, isVerified: false })
    const { browser } = await signInBy(name)
    const ada = await app.signIn(email)

    expect((await browser.call(getCurrentUser)).body.id).not.toBe(ada.id)
    expect((await ada.call(getCurrentUser)).body.email).toBe(email)
  })

  test('an invalid address is ignored, even if the provider calls it verified', async () => {
    seat({ email: 'not an address' })
    const { browser } = await signInBy(name)

    expect((await browser.call(getCurrentUser)).body.email).toBeNull()
  })

  test.each(['nonce', 'code_challenge'])('a modified %s is rejected', async (which) => {
    const browser = app.visitor()
    const start = new URL(await startSignIn(browser, name))
    start.searchParams.set(which, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
    const address = await visitProvider(start.href, 'Allow')

    expect(await comeBack(browser, address)).toMatchObject(toSignInScreen(`${name}-refused`))
    await expectNobody(browser)
  })

  test('a code issued to another browser is rejected (code injection)', async () => {
    const stolenCallback = await visitProvider(await startSignIn(app.visitor(), name), 'Allow')
    const code = stolenCallback.searchParams.get('code') ?? ''

    await expectRefusal(name, ({ searchParams }) => searchParams.set('code', code), 'refused')
  })

  test('a response with another issuer is rejected (RFC 9207)', () =>
    expectRefusal(name, ({ searchParams }) => searchParams.set('iss', 'https://evil.example'), 'refused'))

  test('an ID token that the provider did not sign is rejected', async () =>
    expectRefusal(name, () => provider().answer('forged'), 'refused', await app.another()))

  test('a provider that is down when the server starts works when it is back', async () => {
    provider().answer('down')
    const server = await app.another()
    const early = server.visitor()

    expect(await early.call(starts[name])).toMatchObject(toSignInScreen(`${name}-unreachable`))
    expect(early.cookies.get('signing-in')).toBeUndefined()
    provider().answer('ok')
    expect((await signInBy(name, server.visitor())).answer).toMatchObject(SIGNED_IN)
  })

  test('provider metadata is refreshed after a day, and cached metadata is used while the provider is down', async () => {
    const server = await app.another()
    await startSignIn(server.visitor(), name)
    await startSignIn(server.visitor(), name)
    const discoveries = () => provider().requests.filter((call) => call.includes('.well-known')).length
    expect(discoveries()).toBe(1)
    await runAfter(25 * 3_600_000, async () => {
      provider().answer('failing')
      expect(await startSignIn(server.visitor(), name)).toContain(provider().issuer)
    })
    expect(discoveries()).toBe(2)
  })
})

test('the state of one provider is not valid for another', async () => {
  const browser = app.visitor()
  const address = await visitProvider(await startSignIn(browser, 'google'), 'Allow')

  for (const { path } of [returnFromReplit, returnFromFacebook, returnFromOpenId]) {
    const other = visitorAt(app.url, new Map(browser.cookies))
    const answer = await other.raw(path + address.search)
    expect(answer.headers.location).toMatch(/^\/auth\?error=(replit|facebook|oidc)-stale$/)
    await expectNobody(other)
  }
})

test('one person at several providers is one account when the address is verified', async () => {
  const email = newEmail()
  seat({ email })
  const ids = []
  for (const name of names) {
    const { browser } = await signInBy(name)
    ids.push((await browser.call(getCurrentUser)).body.id)
  }

  expect(ids[0]).toBe(ids[2])
  expect(ids[0]).toBe(ids[3])
  expect(ids[1]).not.toBe(ids[0])
})

test("a Facebook silhouette is not used as the picture, and Facebook's limits and broken responses give a message", async () => {
  facebook.seat({
    id: newSubject(),
    picture: { data: { url: 'https://pictures.example/nobody.gif', is_silhouette: true } },
  })
  const { browser } = await signInBy('facebook')
  expect(await picturesWaiting(browser)).toEqual([])

  for (const [mode, failure] of [
    ['limited', 'unreachable'],
    ['odd', 'refused'],
  ] as const) {
    const address = await visitProvider(await startSignIn(browser, 'facebook'), 'Allow')
    facebook.answer(mode)
    expect(await comeBack(browser, address)).toMatchObject(toSignInScreen(`facebook-${failure}`))
  }
})

test('a provider that hangs leads back to the sign-in screen within the deadline, at the start and at the callback', async () => {
  const browsers = names.map(() => app.visitor())
  const addresses = await Promise.all(
    names.map(async (name, i) =>
      visitProvider(await startSignIn(browsers[i] ?? app.visitor(), name), 'Allow'),
    ),
  )
  for (const name of names) standInOf(name).answer('slow')
  const server = await app.another()

  const [starting, returning] = await Promise.all([
    Promise.all(openIds.map((name) => server.visitor().call(starts[name]))),
    Promise.all(addresses.map((address, i) => comeBack(browsers[i] ?? app.visitor(), address))),
  ])
  expect(starting.map(({ headers }) => headers.location)).toEqual([
    '/auth?error=google-unreachable',
    '/auth?error=replit-unreachable',
    '/auth?error=oidc-unreachable',
  ])
  expect(returning.map(({ headers }) => headers.location)).toEqual([
    '/auth?error=google-unreachable',
    '/auth?error=facebook-unreachable',
    '/auth?error=replit-unreachable',
    '/auth?error=oidc-unreachable',
  ])
})

test('after sixty callbacks in 15 minutes from one network the sign-in screen says to wait', async () => {
  await app.db`
    insert into limit_counters (key, count, expires_at) values ('provider-return-ip:127.0.0.1', 60, now() + interval '1 minute')`
  const { browser, answer } = await signInBy('google')

  expect(answer).toMatchObject(toSignInScreen('too-many'))
  await expectNobody(browser)
})

test("a query that is not a provider's is rejected", async () => {
  const { status, body } = await app.visitor().raw(`${returnFromGoogle.path}?state=a&state=b`)

  expect({ status, body }).toEqual({ status: 400, body: { message: expect.stringContaining('state: ') } })
})

test('on https the cookies of a sign-in use the __Host- prefix', async () => {
  const server = await app.another(PRODUCTION)
  const { headers } = await server.visitor().call(signInWithGoogle)

  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-signing-in=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ])
  expect(new URL(headers.location ?? '').searchParams.get('redirect_uri')).toBe(
    'https://bangers.example/api/auth/google/callback',
  )
})

test('a provider with only half of its keys is not available', async () => {
  const server = await app.another({ GOOGLE_CLIENT_SECRET: '', FACEBOOK_CLIENT_ID: '' })

  for (const endpoint of [signInWithGoogle, signInWithFacebook, returnFromGoogle, returnFromFacebook]) {
    expect(await server.visitor().call(endpoint)).toMatchObject(toSignInScreen('provider-unavailable'))
  }
})

const withError = (error: string) => (address: URL) => {
  address.searchParams.delete('code')
  address.searchParams.set('error', error)
}

const standInOf = (name: ProviderName) => ({ google, facebook, replit, oidc })[name]

/** Moves the clock by that many milliseconds, for the server and for the providers. */
async function runAfter(milliseconds: number, then: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
  try {
    await then()
  } finally {
    vi.useRealTimers()
  }
}

afterEach(() => {
  expect(app.errors).toEqual([])
})
