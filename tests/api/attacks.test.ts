import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { followMagicLink, getCurrentUser, redeemMagicLink, sendMagicLink } from '../../contract/auth.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { sendFeedback } from '../../contract/feedback.ts'
import { readEnv } from '../../server/env.ts'
import { mailPendingFeedback } from '../../server/feedback/mailFeedback.ts'
import { createMailer } from '../../server/integrations/mailer.ts'
import { createLog } from '../../server/process/log.ts'
import { makeMicrogenre } from '../factories.ts'
import { readContract } from '../harness/readContract.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { type Visitor, visitorAt } from '../harness/visitor.ts'
import { startMailServer } from '../stand-ins/mailServer.ts'

const app = setUpApp()
const ada = setUpListener(app)
const endpoints = await readContract()
const mailServer = setUpService(startMailServer)

test('session fixation: a cookie planted before sign-in is not valid after it', async () => {
  const mallory = await app.signIn()
  const plantedByMallory = mallory.cookies.get('session') ?? ''
  for (const plantedSession of [randomBytes(32).toString('base64url'), plantedByMallory]) {
    const victim = visitorAt(app.url, new Map([['session', plantedSession]]))
    const token = await askForLink(victim, 'victim@example.test')
    await victim.raw(`${followMagicLink.path}?token=${token}`)

    expect(victim.cookies.get('session')).not.toBe(plantedSession)
    expect((await victim.call(getCurrentUser)).body.email).toBe('victim@example.test')
    expect((await withSession(plantedSession).call(getCurrentUser)).status).toBe(401)
  }
})

test('open redirect: no redirecting call follows an address that the caller gives', async () => {
  const elsewhere = ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']
  const names = [
    'next',
    'redirect',
    'redirect_uri',
    'return',
    'returnTo',
    'return_to',
    'url',
    'continue',
    'state',
  ]
  for (const { method, path } of endpoints.filter(({ answers }) => answers === 'redirect')) {
    for (const target of elsewhere) {
      const search = new URLSearchParams(names.map((name) => [name, target]))
      for (const who of [app.visitor(), ada.at(app.url)]) {
        const { status, headers } = await who.raw(`${path}?${search}`, {
          method,
          headers: {
            referer: 'https://evil.example/',
            'x-forwarded-host': 'evil.example',
            host: 'evil.example',
          },
        })
        expect([path, status]).toEqual([path, 302])
        expect(headers.location).toMatch(/^\/(auth\?error=[\w-]+)?$/)
      }
    }
  }
})

test('forged Host: a matching Origin still counts as another site', async () => {
  const trustingApp = await app.another({ TRUST_PROXY: 'true' })
  const json = { microgenreId: '1', songId: '1', rating: 'banger' }
  const forgedHeaders = {
    origin: 'http://evil.example',
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
  }
  for (const server of [app, trustingApp]) {
    const { status } = await ada
      .at(server.url)
      .raw(rateAndAdvance.path, { method: 'POST', json, headers: forgedHeaders })
    expect(status).toBe(403)
  }
})

test.each([
  ['a forwarded port', 'http://localhost:8080', { host: 'localhost:8080' }],
  ['a tunnel', 'https://abc.tunnel.example', { 'sec-fetch-site': 'same-origin' }],
  ['another scheme', 'https://bangers.example', { host: 'bangers.example' }],
])('a write through %s is refused with the setting to change', async (_, origin, headers) => {
  const { status, body } = await ada.raw(rateAndAdvance.path, {
    method: 'POST',
    json: { microgenreId: '1', songId: '1', rating: 'banger' },
    headers: { origin, ...headers },
  })

  expect(status).toBe(403)
  expect(body).toMatchObject({
    message: expect.stringMatching(
      new RegExp(`^This page is at ${origin}, .* or set PUBLIC_URL to ${origin}\\.$`),
    ),
  })
})

test.each([
  ['https://evil.example', { 'sec-fetch-site': 'cross-site' }],
  ['null', { 'sec-fetch-site': 'same-origin' }],
  ['http://127.0.0.1:9', {}],
])('a write from %s is of another site', async (origin, headers) => {
  const { status, body } = await ada.raw(rateAndAdvance.path, {
    method: 'POST',
    json: { microgenreId: '1', songId: '1', rating: 'banger' },
    headers: { origin, ...headers },
  })

  expect({ status, body }).toMatchObject({
    status: 403,
    body: { message: 'This request came from another site.' },
  })
})

test('a write is accepted from our own page under any local name, and without an Origin', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const json = { microgenreId: genre.id, songId: genre.songs[0], rating: 'banger' }
  for (const origin of [
    app.url,
    app.url.replace('127.0.0.1', 'localhost'),
    app.url.replace('127.0.0.1', '[::1]'),
  ]) {
    expect((await ada.raw(rateAndAdvance.path, { method: 'POST', json, headers: { origin } })).status).toBe(
      200,
    )
  }
  expect((await ada.raw(rateAndAdvance.path, { method: 'POST', json })).status).toBe(200)
})

test("a read from another site's page is answered without CORS headers, so browsers keep the response from it", async () => {
  const { status, headers } = await ada.raw('/api/auth/user', { headers: { origin: 'https://evil.example' } })

  expect(status).toBe(200)
  expect(headers['access-control-allow-origin']).toBeUndefined()
})

test('responses have security headers', async () => {
  const { headers } = await app.visitor().raw('/api/auth/user')
  const policy = String(headers['content-security-policy'])

  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("script-src 'self' https://www.youtube.com;")
  expect(policy).toContain('frame-src https://www.youtube.com https://www.youtube-nocookie.com;')
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("object-src 'none'")
  expect(policy).not.toContain('upgrade-insecure-requests')
  expect(headers['strict-transport-security']).toBeUndefined()
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
})

test('a link with one changed letter is unknown, and the real one still works', async () => {
  const ada = app.visitor()
  const token = await askForLink(ada, 'altered@example.test')
  for (const altered of alteredTexts(token)) {
    const { status, headers } = await app
      .visitor()
      .raw(`${redeemMagicLink.path}?token=${altered}`, { method: 'POST' })
    expect({ status, to: headers.location }).toEqual({ status: 302, to: '/auth?error=link-unknown' })
  }
  expect((await ada.raw(`${followMagicLink.path}?token=${token}`)).headers.location).toBe('/')
})

test('a browser mark with one changed letter does not identify the browser that asked', async () => {
  const ada = app.visitor()
  const token = await askForLink(ada, 'mark@example.test')
  const mark = ada.cookies.get('asking') ?? ''
  for (const altered of alteredTexts(mark)) {
    const thief = visitorAt(app.url, new Map([['asking', altered]]))
    expect((await thief.raw(`${followMagicLink.path}?token=${token}`)).status).toBe(200)
    expect(thief.cookies.has('session')).toBe(false)
  }
})

test('cookie tampering: a session cookie that is changed, cut, doubled or moved is not valid', async () => {
  const token = ada.cookies.get('session') ?? ''
  const others = [
    token.slice(0, -1),
    `${token}=`,
    token + token,
    token.toUpperCase(),
    encodeURIComponent(`${token};`),
  ]
  for (const altered of [...alteredTexts(token), ...others]) {
    expect((await withSession(altered).call(getCurrentUser)).status).toBe(401)
  }
  for (const headers of [
    { cookie: `Session=${token}` },
    { cookie: `__Host-session=${token}` },
    { cookie: `asking=${token}` },
    { authorization: `Bearer ${token}` },
    { 'x-session': token },
  ] as Record<string, string>[]) {
    expect((await app.visitor().raw(getCurrentUser.path, { headers })).status).toBe(401)
  }
  expect((await app.visitor().raw(`${getCurrentUser.path}?session=${token}`)).status).toBe(401)
  expect((await ada.call(getCurrentUser)).status).toBe(200)
})

test('header injection: feedback is one plain mail to the operator, whatever it contains', async () => {
  const message =
    'Hi\r\nBcc: everybody@example.test\r\n\r\n.\r\nRCPT TO:<everybody@example.test>\r\nSubject: Won!'
  for (const email of [
    'a@example.test\r\nBcc: b@example.test',
    'a@example.test,b@example.test',
    '"a\\"@b"@c.test',
  ]) {
    expect((await ada.raw(sendFeedback.path, { method: 'POST', json: { email, message } })).status).toBe(400)
  }
  expect((await ada.call(sendFeedback, { body: { email: ada.email, message } })).status).toBe(200)
  const env = readEnv({ SMTP_URL: mailServer.url })
  await mailPendingFeedback(
    app.db,
    createMailer(env, createLog('silent', { write() {} })),
    'operator@example.test',
  )

  expect(mailServer.mails).toHaveLength(1)
  const [mail] = mailServer.mails
  const [head = '', ...body] = mail?.text.split('\r\n\r\n') ?? []
  expect(mail?.to).toEqual(['operator@example.test'])
  expect(head.match(/^(to|reply-to|subject|cc|bcc|content-type):.*/gim)?.sort()).toEqual([
    'Content-Type: text/plain; charset=utf-8',
    `Reply-To: ${ada.email}`,
    'Subject: Feedback on Banger or Bust',
    'To: operator@example.test',
  ])
  expect(body.join('\n')).toContain('Bcc: everybody@example.test')
})

/** The text with each of its letters changed, one at a time. */
const alteredTexts = (text: string) =>
  [...text].map((letter, at) => text.slice(0, at) + (letter === 'A' ? 'B' : 'A') + text.slice(at + 1))

const withSession = (token: string) => visitorAt(app.url, new Map([['session', token]]))

async function askForLink(visitor: Visitor, email: string): Promise<string> {
  await app.db`delete from limit_counters`
  const { body } = await visitor.call(sendMagicLink, { body: { email } })
  return new URL(body.magicLink ?? '').searchParams.get('token') ?? ''
}
