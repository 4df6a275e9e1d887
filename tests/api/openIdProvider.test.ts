import { afterEach, beforeEach, expect, test } from 'vitest'
import { getCurrentUser, returnFromOpenId, signInWithOpenId } from '../../contract/auth.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { visitProvider } from '../harness/visitor.ts'
import { startMailServer } from '../stand-ins/mailServer.ts'
import { type OpenIdClaims, startOpenId } from '../stand-ins/openId.ts'

/* What only the operator's own provider has. providers.test.ts tests all providers. */

const provider = setUpService(() => startOpenId({ callback: returnFromOpenId.path, smallIdToken: true }))
/** It puts every claim into the ID token. */
const other = setUpService(() => startOpenId({ callback: returnFromOpenId.path }))
const mailServer = setUpService(startMailServer)

const app = setUpApp(() => ({
  ...provider.env('OIDC'),
  OIDC_SCOPES: 'openid email profile groups',
  OIDC_ALLOWED_GROUPS: 'Music Fans, /stewards',
}))

beforeEach(() => app.db`delete from limit_counters`)
afterEach(() => {
  provider.reset()
  other.reset()
  expect(app.errors).toEqual([])
})

let people = 0

/** A person without an address, unless `claims` has one. */
async function signIn(claims: Partial<OpenIdClaims>, at = provider, server = app) {
  at.seat({ sub: `person-${++people}`, email_verified: true, ...claims })
  const browser = server.visitor()
  const { headers } = await browser.call(signInWithOpenId)
  const address = await visitProvider(headers.location ?? '', 'Allow')
  const answer = await browser.raw(address.pathname + address.search)
  return { browser, location: answer.headers.location, who: await browser.call(getCurrentUser) }
}

const EXCLUDED = '/auth?error=oidc-excluded'

test.each([[['Music Fans']], [['others', '/stewards']], ['Music Fans']])(
  'signin-15: a person with the groups %j signs in',
  async (groups) => {
    const { location, who } = await signIn({ groups })

    expect([location, who.status]).toEqual(['/', 200])
  },
)

test.each([
  [['music fans', 'stewards', 'Music', '/stewards/old', 'Music Fans, /stewards']],
  [[]],
  ['others'],
  [undefined],
  [null],
  [{ '/stewards': {} }],
  [['/stewards', 7]],
])('signin-15: a person with the groups %j does not, and gets no account', async (groups) => {
  const count = async () => (await app.db`select count(*) from users`)[0]
  const before = await count()
  const { location, who } = await signIn({ groups, email: `outsider-${++people}@example.test` })

  expect([location, who.status]).toEqual([EXCLUDED, 401])
  expect(await count()).toEqual(before)
})

test('signin-15: a person who left the groups cannot sign in again, but existing sessions continue', async () => {
  const { browser } = await signIn({ sub: 'ada', groups: ['Music Fans'] })
  const again = await signIn({ sub: 'ada', groups: [] })

  expect([again.location, again.who.status]).toEqual([EXCLUDED, 401])
  expect((await browser.call(getCurrentUser)).status).toBe(200)
})

test('signin-7: the owner of an account gets a mail when a provider joins it, once', async () => {
  const ada = await app.signIn()
  const server = await app.another({ SMTP_URL: mailServer.url })
  const join = () => signIn({ sub: 'ada-joins', email: ada.email, groups: ['Music Fans'] }, provider, server)
  expect((await join()).who.body.id).toBe(ada.id)
  await expect.poll(() => mailServer.mails.map(({ to }) => to)).toEqual([[ada.email]])
  expect(mailServer.mails[0]?.text).toContain('Your account at OpenID now signs in to it.')

  await join()
  await signIn({ email: 'newcomer@example.test', groups: ['Music Fans'] }, provider, server)
  await join()
  expect(mailServer.mails).toHaveLength(1)
})

test('groups in the ID token count, too; UserInfo is asked for what is not there', async () => {
  const server = await app.another({ OIDC_ISSUER: other.issuer })
  const requests = () => other.requests.includes('GET /me')

  expect(
    (await signIn({ email: 'whole@example.test', name: 'Ada', groups: ['Music Fans'] }, other, server))
      .location,
  ).toBe('/')
  expect(requests()).toBe(false)
  expect((await signIn({ email: 'less@example.test' }, other, server)).location).toBe(EXCLUDED)
  expect(requests()).toBe(true)
})

test.each<[object, string | null, string | null]>([
  [{ name: 'Ada Lovelace' }, 'Ada Lovelace', null],
  [{ name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace' }, 'Ada', 'Lovelace'],
  [{ name: 'Ada Lovelace', family_name: 'Lovelace' }, null, 'Lovelace'],
  [{ given_name: ['Ada'], family_name: ['Lovelace', 'Byron'] }, 'Ada', 'Lovelace'],
  [{ given_name: '', family_name: null, nickname: 'Ada' }, 'Ada', null],
  [{ given_name: { de: 'Ada' }, preferred_username: 'ada' }, 'ada', null],
  [{ preferred_username: 1815 }, '1815', null],
  // Providers that have no name write the address, which the profile would show to everybody.
  [{ name: 'ada@example.test', preferred_username: 'ada' }, 'ada', null],
  [{ name: 'ada@example.test', preferred_username: 'ada@example.test' }, null, null],
  [
    { userInfo: { name: 'Ada Lovelace', email: 'other@example.test', email_verified: false } },
    'Ada Lovelace',
    null,
  ],
])('signin-14: a person whose provider writes %j has a name', async (claims, firstName, lastName) => {
  const email = `named-${++people}@example.test`
  const server = await app.another({ OIDC_ISSUER: other.issuer, OIDC_ALLOWED_GROUPS: '' })
  const { who } = await signIn({ ...claims, email }, other, server)

  expect(who.body).toMatchObject({ firstName, lastName, email })
})

test.each([
  (email: string) => ({ email, email_verified: 'true' }),
  (email: string) => ({ email: [email] }),
  (email: string) => ({ emails: [email] }),
  (email: string) => ({ mail: email }),
])(
  'signin-7: a person signs in to their account, however the provider writes the address: %s',
  async (claims) => {
    const email = `listed-${++people}@example.test`
    const ada = await app.signIn(email)
    const { who } = await signIn({ groups: ['Music Fans'], ...claims(email) })

    expect(who.body.id).toBe(ada.id)
  },
)

test('without OIDC_ALLOWED_GROUPS everybody whom the provider knows signs in', async () => {
  const server = await app.another({ OIDC_ALLOWED_GROUPS: '' })

  expect((await signIn({}, provider, server)).location).toBe('/')
})

test('asks for OIDC_SCOPES', async () => {
  const { headers } = await app.visitor().call(signInWithOpenId)

  expect(new URL(headers.location ?? '').searchParams.get('scope')).toBe('openid email profile groups')
})

test('signin-14: the same id at another issuer is another person, unless the address is verified', async () => {
  const server = await app.another({ OIDC_ISSUER: other.issuer })
  const member = { groups: ['Music Fans'] }
  const stranger = await signIn({ ...member, sub: '1' })
  const moved = await signIn({ ...member, sub: '1' }, other, server)
  expect([stranger.who.status, moved.who.status]).toEqual([200, 200])
  expect(moved.who.body.id).not.toBe(stranger.who.body.id)

  const email = 'grace@example.test'
  const grace = await signIn({ ...member, sub: '2', email })
  const back = await signIn({ ...member, sub: '77', email }, other, server)
  expect(back.who.body.id).toBe(grace.who.body.id)
})
