import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followMagicLink, getCurrentUser, logout, sendMagicLink } from '../../contract/auth.ts'
import { setUpApp, type TestApp } from '../harness/setUpApp.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://bangers.example',
  SESSION_SECRET: 's'.repeat(32),
}

const app = setUpApp(PRODUCTION)
const mails: string[] = []
let refusing = false
let smtp: SMTPServer
let mailing: TestApp

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_, __, done) => done(refusing ? new Error('no such mailbox') : null),
    onData(stream, _, done) {
      let mail = ''
      stream.on('data', (chunk: Buffer) => {
        mail += chunk
      })
      stream.on('end', () => {
        mails.push(mail)
        done()
      })
    },
  })
  // A client that disconnects must not fail the test that is running.
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as AddressInfo
  mailing = await app.another({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Banger or Bust <hello@bangers.example>',
  })
})
afterAll(() => new Promise<void>((resolve) => smtp.close(() => resolve())))

test('in production without a mail server there is no link, and the response says so', async () => {
  const { status, body } = await app.visitor().call(sendMagicLink, { body: { email: 'a@example.test' } })

  expect({ status, body }).toEqual({
    status: 503,
    body: { message: 'Sign-in by e-mail is not available right now.' },
  })
  expect(await app.db`select from sign_in_tokens where email = 'a@example.test'`).toHaveLength(0)
})

test('in production the link is mailed, the response has only the message, and cookies are Secure', async () => {
  const ada = mailing.visitor()
  const sent = await ada.call(sendMagicLink, { body: { email: 'ada@example.test' } })
  expect(sent).toMatchObject({ status: 200 })
  expect(sent.body).toEqual({
    message: 'If the address is right, a sign-in link is on its way. It works for 15 minutes.',
  })
  expect(sent.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-asking=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ])

  const mail = mails.at(-1) ?? ''
  expect(mail).toContain('From: Banger or Bust <hello@bangers.example>')
  expect(mail).toContain('To: ada@example.test')
  expect(mail).toContain('Subject: Your sign-in link for Banger or Bust')
  expect(mail).toContain('Content-Type: text/plain')
  const token = /https:\/\/bangers\.example\/sign-in\/link\?token=([\w-]{43})/.exec(
    mail.replace(/=\r\n/g, '').replace('token=3D', 'token='),
  )?.[1]

  const followed = await ada.raw(`${followMagicLink.path}?token=${token}`)
  expect(followed).toMatchObject({ status: 302, headers: { location: '/' } })
  expect(followed.headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^__Host-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
    expect.stringMatching(/^__Host-asking=;/),
  ])
  expect((await ada.call(getCurrentUser)).body.email).toBe('ada@example.test')
  expect((await ada.call(logout)).headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-session=; Max-Age=0; Path=\/;.* Secure/),
  ])
})

test('a mail server that rejects: 502 with a message that does not quote it', async () => {
  refusing = true
  const { status, body } = await mailing.visitor().call(sendMagicLink, { body: { email: 'b@example.test' } })
  refusing = false

  expect({ status, body }).toEqual({
    status: 502,
    body: { message: 'The e-mail could not be sent. Please try again in a few minutes.' },
  })
})

test('a mail server that is down: 502 within the deadline', async () => {
  const broken = await app.another({ SMTP_URL: 'smtp://127.0.0.1:9' })
  const { status } = await broken.visitor().call(sendMagicLink, { body: { email: 'c@example.test' } })

  expect(status).toBe(502)
})

test('https responses have Strict-Transport-Security', async () => {
  const { headers } = await app.visitor().raw('/api/auth/user')

  expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
  expect(headers['content-security-policy']).toContain('upgrade-insecure-requests')
})

test('in production a loopback page counts as another site', async () => {
  const send = (origin: string) =>
    mailing.visitor().raw(sendMagicLink.path, {
      method: 'POST',
      json: { email: 'd@example.test' },
      headers: { origin },
    })

  expect((await send(mailing.url)).status).toBe(403)
  expect((await send('https://bangers.example.evil.example')).status).toBe(403)
  expect((await send('https://bangers.example')).status).toBe(200)
})
