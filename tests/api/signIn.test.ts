import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { followMagicLink, getCurrentUser, redeemMagicLink, sendMagicLink } from '../../contract/auth.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { refusal, type Visitor, visitorAt } from '../harness/visitor.ts'

const app = setUpApp()
const LINK_ON_ITS_WAY = 'If the address is right, a sign-in link is on its way. It works for 15 minutes.'
const SIGNED_IN = { status: 302, headers: { location: '/' } }
const failed = (error: string) => ({ status: 302, headers: { location: `/auth?error=${error}` } })
let addresses = 0
const newAddress = () => `someone-${++addresses}@example.test`

test('in development the response contains the link, which signs in the browser that asked', async () => {
  const ada = app.visitor()
  const email = newAddress()

  const sent = await askForLink(ada, email)
  expect(sent).toMatchObject({ status: 200, body: { message: LINK_ON_ITS_WAY, development: true } })
  expect(sent.body.magicLink).toMatch(/^http:\/\/localhost:\d+\/sign-in\/link\?token=[\w-]{43}$/)

  const followed = await follow(ada, sent.token)
  expect(followed).toMatchObject(SIGNED_IN)
  expect(await ada.call(getCurrentUser)).toMatchObject({
    status: 200,
    body: {
      id: expect.stringMatching(/^\d+$/),
      firstName: null,
      lastName: null,
      email,
      profileImageUrl: null,
      bio: null,
      isPublic: false,
      showEmail: false,
      emailOptOut: false,
      startAtHook: false,
      earFirst: false,
      songChoice: 'both',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      followerCount: 0,
      followingCount: 0,
    },
  })
})

test('an address is trimmed and ignores case', async () => {
  const first = await app.signIn(newAddress())
  const { status, body } = await app.visitor().raw(sendMagicLink.path, {
    method: 'POST',
    json: { email: `  ${first.email.toUpperCase()} ` },
  })
  const again = app.visitor()
  expect(status).toBe(200)
  const token = tokenOf((body as { magicLink: string }).magicLink)
  await again.raw(`${redeemMagicLink.path}?token=${token}`, { method: 'POST' })

  expect((await again.call(getCurrentUser)).body.id).toBe(first.id)
})

test('the account is created when the link is used, not when it is sent', async () => {
  const ada = app.visitor()
  const email = newAddress()
  const { token } = await askForLink(ada, email)
  expect(await app.db`select from users where email = ${email}`).toHaveLength(0)

  await follow(ada, token)
  expect(await app.db`select from users where email = ${email}`).toHaveLength(1)
})

test('known and unknown addresses get the same answer', async () => {
  const knownListener = await app.signIn(newAddress())
  const one = await askForLink(app.visitor(), knownListener.email)
  const other = await askForLink(app.visitor(), newAddress())

  expect({ ...one.body, magicLink: '', code: '' }).toEqual({ ...other.body, magicLink: '', code: '' })
})

test.each([
  ['two addresses', { email: 'a@example.test, b@example.test' }, 'email: must be an e-mail address'],
  ['a line break', { email: 'a@example.test\nbcc: b@example.test' }, 'email: must be an e-mail address'],
  ['too long', { email: `${'a'.repeat(250)}@example.test` }, 'email: is too long'],
])('a link for %s is rejected', async (_, json, message) => {
  const before = await countTokens()
  const answer = await app.visitor().raw(sendMagicLink.path, { method: 'POST', json })

  expect(answer).toMatchObject(refusal(400, expect.stringContaining(message)))
  expect(await countTokens()).toBe(before)
})

test('a link works for 15 minutes', async () => {
  const early = app.visitor()
  const late = app.visitor()
  const { token: earlyToken, email: earlyEmail } = await askForLink(early, newAddress())
  const { token: lateToken, email: lateEmail } = await askForLink(late, newAddress())
  await app.db`update sign_in_tokens set expires_at = expires_at - interval '14 minutes 50 seconds' where email = ${earlyEmail}`
  await app.db`update sign_in_tokens set expires_at = expires_at - interval '15 minutes 1 second' where email = ${lateEmail}`

  expect(await follow(late, lateToken)).toMatchObject(failed('link-expired'))
  expect(await follow(early, earlyToken)).toMatchObject(SIGNED_IN)
  expect((await late.call(getCurrentUser)).status).toBe(401)
})

test('a link works once', async () => {
  const ada = app.visitor()
  const { token } = await askForLink(ada, newAddress())
  const mark = ada.cookies.get('asking') ?? ''
  await follow(ada, token)
  const thief = visitorAt(app.url, new Map([['asking', mark]]))

  expect(await follow(thief, token)).toMatchObject(failed('link-used'))
  expect((await thief.call(getCurrentUser)).status).toBe(401)
})

test('signin-4: a used link leads a signed-in listener on, without a button', async () => {
  const ada = app.visitor()
  const { token } = await askForLink(ada, newAddress())
  await follow(ada, token)

  expect(await follow(ada, token)).toMatchObject(failed('link-used'))
  expect(await follow(ada, 'unknown')).toMatchObject(failed('link-unknown'))
  expect((await ada.call(getCurrentUser)).status).toBe(200)
})

test('of 50 concurrent uses one gets a session', async () => {
  const ada = app.visitor()
  const { token, email } = await askForLink(ada, newAddress())
  const cookies = [...ada.cookies]

  const answers = await Promise.all(
    Array.from({ length: 50 }, () => follow(visitorAt(app.url, new Map(cookies)), token)),
  )

  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(302))
  expect(answers.filter(({ headers }) => headers.location === '/')).toHaveLength(1)
  expect(answers.filter(({ headers }) => headers.location === '/auth?error=link-used')).toHaveLength(49)
  expect(await sessionsOf(email)).toHaveLength(1)
})

test('using a link ends the others of its address', async () => {
  const ada = app.visitor()
  const { token: older, email } = await askForLink(ada, newAddress())
  const { token: newer } = await askForLink(ada, email)
  await follow(ada, newer)
  const other = app.visitor()

  expect(await press(other, older)).toMatchObject({ headers: { location: '/auth?error=link-used' } })
  expect(await sessionsOf(email)).toHaveLength(1)
})

test('two links of one address used at once: one session, and no error', async () => {
  for (let round = 0; round < 20; round++) {
    const { token: one, email } = await askForLink(app.visitor(), newAddress())
    const { token: two } = await askForLink(app.visitor(), email)

    const answers = await Promise.all([press(app.visitor(), one), press(app.visitor(), two)])

    expect(answers.map(({ status }) => status)).toEqual([302, 302])
    expect(answers.map(({ headers }) => headers.location).sort()).toEqual(['/', '/auth?error=link-used'])
    expect(await sessionsOf(email)).toHaveLength(1)
  }
})

test('another browser sees a page with a button, and the button signs in', async () => {
  const { token } = await askForLink(app.visitor(), newAddress())
  const phone = app.visitor()

  const page = await follow(phone, token)
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  expect(page.text).toContain(`<form method="post" action="?token=${token}">`)
  expect(page.headers['set-cookie']).toBeUndefined()
  expect((await phone.call(getCurrentUser)).status).toBe(401)

  // Without JavaScript.
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }
  const pressed = await phone.raw(`${redeemMagicLink.path}?token=${token}`, { method: 'POST', headers })
  expect(pressed).toMatchObject(SIGNED_IN)
  expect((await phone.call(getCurrentUser)).status).toBe(200)
})

test.each([
  ['sec-purpose', 'prefetch;prerender'],
  ['purpose', 'prefetch'],
  ['x-moz', 'prefetch'],
])(
  'signin-9: a browser that opens a link ahead of time (%s: %s) is not signed in, and one that logs out ahead not out',
  async (header, value) => {
    const headers = { [header]: value }
    const ada = app.visitor()
    const { token } = await askForLink(ada, newAddress())
    const ahead = await ada.raw(`${followMagicLink.path}?token=${token}`, { headers })
    expect(ahead).toMatchObject({ status: 503, headers: { 'cache-control': 'no-store' } })
    expect((await ada.call(getCurrentUser)).status).toBe(401)

    expect(await follow(ada, token)).toMatchObject(SIGNED_IN)
    await ada.raw('/api/logout', { headers })
    expect((await ada.call(getCurrentUser)).status).toBe(200)
  },
)

test('HEAD requests and mail scanners do not use up a link', async () => {
  const ada = app.visitor()
  const { token } = await askForLink(ada, newAddress())

  const head = () => ada.raw(`${followMagicLink.path}?token=${token}`, { method: 'HEAD' })
  const requests = await head()
  expect(requests).toMatchObject({ status: 302, headers: { location: '/' }, text: '' })
  expect(requests.headers['set-cookie']).toBeUndefined()
  await follow(app.visitor(), token)

  expect(await follow(ada, token)).toMatchObject(SIGNED_IN)
  expect((await ada.call(getCurrentUser)).status).toBe(200)
})

test('the page in another browser names the address in part, and only while the link works (signin-9)', async () => {
  const { token, email } = await askForLink(app.visitor(), `jane.${newAddress()}`)
  const phone = app.visitor()
  const [local = '', domain = ''] = email.split('@')

  const { text } = await follow(phone, token)
  expect(text).toContain(`here as <b>j…${local.at(-1)}@${domain}</b>.`)
  expect(text).not.toContain(local)
  await press(phone, token)
  expect((await follow(app.visitor(), token)).text).toContain('to sign in here.')
  expect((await follow(app.visitor(), 'unknown')).text).toContain('to sign in here.')
})

test('a made-up token signs in nobody', async () => {
  const ada = app.visitor()
  await askForLink(ada, newAddress())

  for (const token of ['', 'x', `"><script>alert(1)</script>`, 'x'.repeat(5000), '\u0000']) {
    const pressed = await press(ada, encodeURIComponent(token))
    expect(pressed).toMatchObject(failed('link-unknown'))
    const page = await follow(ada, encodeURIComponent(token))
    expect(page.status).toBe(200)
    expect(page.text).not.toContain('<script>')
  }
  expect((await ada.call(getCurrentUser)).status).toBe(401)
})

test('tokens are stored as hashes', async () => {
  const ada = app.visitor()
  const { token, email } = await askForLink(ada, newAddress())
  await follow(ada, token)
  const [storedToken] = await app.db`
    select encode(t.token_hash, 'escape') || encode(s.token_hash, 'escape') as text
    from sign_in_tokens t join users u on u.email = t.email join sessions s on s.user_id = u.id
    where t.email = ${email}`

  expect(storedToken?.text).not.toContain(token)
  expect(storedToken?.text).not.toContain(ada.cookies.get('session'))
})

test('signing in as another listener ends the previous session', async () => {
  const ada = await app.signIn(newAddress())
  const { token } = await askForLink(ada, newAddress())
  const former = new Map(ada.cookies)
  await follow(ada, token)

  expect((await ada.call(getCurrentUser)).body.email).not.toBe(ada.email)
  expect((await visitorAt(app.url, former).call(getCurrentUser)).status).toBe(401)
})

test.each([
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-real-ip',
  'via',
  'cf-connecting-ip',
  'true-client-ip',
  'x-client-ip',
])('the response does not contain the link behind a proxy that sends %s', async (header) => {
  const { status, body } = await app.visitor().raw(sendMagicLink.path, {
    method: 'POST',
    json: { email: newAddress() },
    headers: { [header]: header === 'forwarded' ? 'for=127.0.0.1' : '127.0.0.1' },
  })

  expect({ status, body }).toEqual(refusal(503, 'Sign-in by e-mail is not available right now.'))
})

test('the response does not contain the link for another client address', async () => {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  // A machine without a network has no other address to use.
  if (!outside) return
  const open = await app.another({}, '0.0.0.0')
  const neighbour = visitorAt(open.url.replace('127.0.0.1', outside.address))

  const answer = await neighbour.raw(sendMagicLink.path, { method: 'POST', json: { email: newAddress() } })

  expect(answer).toMatchObject(refusal(503, 'Sign-in by e-mail is not available right now.'))
})

test("signin-10: in development only a loopback Host gets the link, whose origin is PUBLIC_URL's", async () => {
  const askAt = (host: string) =>
    app.visitor().raw(sendMagicLink.path, {
      method: 'POST',
      json: { email: newAddress() },
      headers: { host },
    })

  // As of a page whose name was made to lead here (DNS rebinding).
  expect(await askAt('evil.example')).toMatchObject(
    refusal(503, 'Sign-in by e-mail is not available right now.'),
  )
  expect((await askAt('bangers.localhost:1')).body).toMatchObject({
    magicLink: expect.stringMatching(/^http:\/\/localhost:/),
  })
})

test('after five links in 15 minutes an address gets 429 with Retry-After', async () => {
  const email = newAddress()
  await app.db`delete from limit_counters`
  for (let i = 0; i < 5; i++)
    expect((await app.visitor().call(sendMagicLink, { body: { email } })).status).toBe(200)

  const { status, body, headers } = await app
    .visitor()
    .call(sendMagicLink, { body: { email: email.toUpperCase() } })
  expect({ status, body }).toEqual(
    refusal(429, 'Too many sign-in links were requested. Please wait a few minutes and try again.'),
  )
  expect(Number(headers['retry-after'])).toBeGreaterThan(880)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(900)

  await app.db`update limit_counters set expires_at = now() where key = ${`magic-link-address:127.0.0.1:${email}`}`
  expect((await app.visitor().call(sendMagicLink, { body: { email } })).status).toBe(200)

  // The row that remains when the database's clock was a day ahead and was corrected.
  await app.db`
    update limit_counters set count = 99, expires_at = now() + interval '1 day'
    where key = ${`magic-link-address:127.0.0.1:${email}`}`
  expect((await app.visitor().call(sendMagicLink, { body: { email } })).status).toBe(200)
})

test('after twenty links in 15 minutes a network gets 429, whatever X-Forwarded-For says', async () => {
  await app.db`delete from limit_counters`
  const statuses: number[] = []
  for (let i = 0; i < 21; i++) {
    const { status } = await app.visitor().raw(sendMagicLink.path, {
      method: 'POST',
      json: { email: newAddress() },
      headers: i % 2 ? { 'x-forwarded-for': `10.0.0.${i}` } : {},
    })
    statuses.push(status)
  }

  expect(statuses.slice(0, 20)).not.toContain(429)
  expect(statuses[20]).toBe(429)
})

async function askForLink(visitor: Visitor, email: string) {
  await app.db`delete from limit_counters`
  const answer = await visitor.call(sendMagicLink, { body: { email } })
  return { ...answer, email, token: tokenOf(answer.body.magicLink ?? '') }
}

const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''
const follow = (visitor: Visitor, token: string) => visitor.raw(`${followMagicLink.path}?token=${token}`)
const press = (visitor: Visitor, token: string) =>
  visitor.raw(`${redeemMagicLink.path}?token=${token}`, { method: 'POST' })
const sessionsOf = (email: string) =>
  app.db`select s.id from sessions s join users u on u.id = s.user_id where u.email = ${email}`

async function countTokens() {
  const [row] = await app.db<{ count: string }[]>`select count(*) from sign_in_tokens`
  return row?.count
}
