import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { getCurrentUser, sendMagicLink, useMagicLink } from '../../contract/auth.ts'
import { returnFromGoogle, signInWithFacebook, signInWithGoogle } from '../../contract/signInProviders.ts'
import { setUpApp, type TestApp } from '../harness/setUpApp.ts'
import { visitProvider } from '../harness/visitProvider.ts'
import { type Facebook, startFacebook } from '../stand-ins/facebook.ts'
import { type OpenId, startOpenId } from '../stand-ins/openId.ts'

/* REGISTRATION=closed (signin-16), beside an open server where people got their accounts. */

let google: OpenId
let facebook: Facebook
beforeAll(async () => {
  google = await startOpenId({ callback: returnFromGoogle.path })
  facebook = await startFacebook()
  return () => Promise.all([google.close(), facebook.close()])
})

const app = setUpApp(() => ({
  GOOGLE_ISSUER: google.issuer,
  GOOGLE_CLIENT_ID: google.clientId,
  GOOGLE_CLIENT_SECRET: google.clientSecret,
  FACEBOOK_DIALOG_URL: facebook.url,
  FACEBOOK_GRAPH_URL: facebook.url,
  FACEBOOK_CLIENT_ID: facebook.clientId,
  FACEBOOK_CLIENT_SECRET: facebook.clientSecret,
}))
let closed: TestApp
beforeAll(async () => {
  closed = await app.another({ REGISTRATION: 'closed' })
})

beforeEach(() => app.db`delete from rate_limits`)
afterEach(() => expect([...app.errors, ...closed.errors]).toEqual([]))

const NOT_INVITED = '/auth?error=not-invited'
let people = 0
const newEmail = () => `guest-${++people}@example.test`

/** What signing in must not create without an account. */
const countPeople = async () =>
  (
    await app.db`select (select count(*) from users) as users, (select count(*) from identities) as identities`
  )[0]

async function askForLink(email: string) {
  const browser = closed.visitor()
  const { status, body } = await browser.call(sendMagicLink, { body: { email } })
  const link = new URL(body.magicLink ?? '')
  return { browser, link, answer: { status, body: { ...body, magicLink: '' } } }
}

async function signInBy(start: typeof signInWithGoogle | typeof signInWithFacebook, server = closed) {
  const browser = server.visitor()
  const address = await visitProvider((await browser.call(start)).headers.location ?? '', 'Allow')
  const { headers } = await browser.raw(address.pathname + address.search)
  return { location: headers.location, who: await browser.call(getCurrentUser) }
}

test('signin-16, signin-11: asking for a link gets the same answer with an account and without', async () => {
  const ada = await app.signIn(newEmail())

  expect((await askForLink(ada.email)).answer).toEqual((await askForLink(newEmail())).answer)
})

test('signin-16: the link of an address with an account signs in', async () => {
  const ada = await app.signIn(newEmail())
  const { browser, link } = await askForLink(ada.email)
  const { headers } = await browser.raw(link.pathname + link.search)

  expect(headers.location).toBe('/')
  expect((await browser.call(getCurrentUser)).body.id).toBe(ada.id)
})

test("signin-16: another address's link says so once, in the browser that asked and elsewhere, and creates nothing", async () => {
  const before = await countPeople()
  const email = newEmail()
  const { browser, link } = await askForLink(email)
  const first = await browser.raw(link.pathname + link.search)
  const again = await browser.raw(link.pathname + link.search)
  expect([first.headers.location, again.headers.location]).toEqual([NOT_INVITED, '/auth?error=link-used'])
  expect((await browser.call(getCurrentUser)).status).toBe(401)

  const elsewhere = closed.visitor()
  const next = await askForLink(email)
  const pressed = await elsewhere.raw(useMagicLink.path + next.link.search, { method: 'POST' })
  expect(pressed.headers.location).toBe(NOT_INVITED)
  expect((await elsewhere.call(getCurrentUser)).status).toBe(401)
  expect(await countPeople()).toEqual(before)
})

test('signin-16, signin-7: a verified address finds its account, and no other does', async () => {
  const ada = await app.signIn(newEmail())
  const before = await countPeople()
  for (const [email, email_verified] of [
    [newEmail(), true],
    [newEmail(), false],
    // Nobody learns whether an address that is only claimed has an account.
    [ada.email, false],
    [undefined, true],
  ] as const) {
    google.seat({ sub: `closed-${++people}`, email, email_verified })
    const { location, who } = await signInBy(signInWithGoogle)
    expect([location, who.status]).toEqual([NOT_INVITED, 401])
  }
  facebook.seat({ id: String(++people), email: ada.email })
  expect((await signInBy(signInWithFacebook)).location).toBe(NOT_INVITED)
  expect(await countPeople()).toEqual(before)

  google.seat({ sub: `closed-${++people}`, email: ada.email, email_verified: true })
  expect((await signInBy(signInWithGoogle)).who.body.id).toBe(ada.id)
})

test('signin-16: a person whom a provider brought before signs in without an address', async () => {
  facebook.seat({ id: String(++people) })
  const { who } = await signInBy(signInWithFacebook, app)
  const again = await signInBy(signInWithFacebook)

  expect(who.status).toBe(200)
  expect(again.who.body.id).toBe(who.body.id)
})
