import { expect, test } from 'vitest'
import { followMagicLink, getCurrentUser, logout, sendMagicLink } from '../../contract/auth.ts'
import { sendFeedback } from '../../contract/feedback.ts'
import { deleteAccount, getProfile, updateProfile } from '../../contract/profiles.ts'
import { PRODUCTION, setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { refusal } from '../harness/visitor.ts'
import { startMailServer } from '../stand-ins/mailServer.ts'

const mailServer = setUpService(startMailServer)
/** In production without a mail server; in development; and in production with one. */
const app = setUpApp(PRODUCTION)
const development = setUpService(() => app.another({ NODE_ENV: 'test', PUBLIC_URL: '' }))
const mailing = setUpService(() =>
  app.another({ SMTP_URL: mailServer.url, MAIL_FROM: 'Banger or Bust <hello@bangers.example>' }),
)

test('in production without a mail server there is no link, and the response says so', async () => {
  const { status, body } = await app.visitor().call(sendMagicLink, { body: { email: 'a@example.test' } })

  expect({ status, body }).toEqual(refusal(503, 'Sign-in by e-mail is not available right now.'))
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

  const mail = mailServer.mails.at(-1)?.text ?? ''
  expect(mail).toContain('From: Banger or Bust <hello@bangers.example>')
  expect(mail).toContain('To: ada@example.test')
  expect(mail).toContain('Subject: Your sign-in link for Banger or Bust')
  expect(mail).toContain('Content-Type: text/plain')
  const token = /https:\/\/bangers\.example\/sign-in\/link\?token=([\w-]{43})/.exec(
    mail.replace(/=\r\n/g, '').replace('token=3D', 'token='),
  )?.[1]

  // signin-29: also the code, which the subject does not show on a locked screen.
  expect(mail).toMatch(/^\d{3} \d{3}\r$/m)

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
  mailServer.refusing = true
  const { status, body } = await mailing.visitor().call(sendMagicLink, { body: { email: 'b@example.test' } })
  mailServer.refusing = false

  expect({ status, body }).toEqual(
    refusal(502, 'The e-mail could not be sent. Please try again in a few minutes.'),
  )
})

test('a mail server that is down: 502 within the deadline', async () => {
  const broken = await app.another({ SMTP_URL: 'smtp://127.0.0.1:9' })
  const { status } = await broken.visitor().call(sendMagicLink, { body: { email: 'c@example.test' } })

  expect(status).toBe(502)
})

test('a mail server elsewhere must offer TLS, unless SMTP_URL says ?ignoreTLS=true', async () => {
  // Also this machine, but no loopback address.
  const elsewhere = mailServer.url.replace('127.0.0.1', '0.0.0.0')
  const send = async (SMTP_URL: string) => {
    const server = await app.another({ SMTP_URL })
    return (await server.visitor().call(sendMagicLink, { body: { email: 'e@example.test' } })).status
  }

  expect(await send(elsewhere)).toBe(502)
  expect(mailServer.mails.filter(({ to }) => to.includes('e@example.test'))).toEqual([])
  expect(await send(`${elsewhere}?ignoreTLS=true`)).toBe(200)
})

test('limits-2: requests from elsewhere keep no address from its link, and cannot fill its mailbox', async () => {
  const server = await app.another({ SMTP_URL: mailServer.url, TRUST_PROXY: '1' })
  const askFrom = async (network: number) => {
    const headers = { 'x-forwarded-for': `203.0.113.${network}` }
    const json = { email: 'wanted@example.test' }
    return (await server.visitor().raw(sendMagicLink.path, { method: 'POST', json, headers })).status
  }
  const before = mailServer.mails.length
  for (let n = 0; n < 5; n++) expect(await askFrom(1)).toBe(200)

  expect(await askFrom(1)).toBe(429)
  expect(await askFrom(2)).toBe(200)
  expect(mailServer.mails.length - before).toBe(6)
  for (let n = 3; n < 23; n++) expect(await askFrom(n)).toBe(200)
  expect(mailServer.mails.length - before).toBe(20)
})

test('limits-2: links for ever new addresses take no mail from accounts, and no network closes it for others', async () => {
  await app.db`delete from limit_counters`
  const server = await app.another({ SMTP_URL: mailServer.url, TRUST_PROXY: '1' })
  const account = await app.signIn()
  const askFrom = async (network: number, email: string) => {
    const headers = { 'x-forwarded-for': `203.0.113.${network}` }
    const { status, text } = await server
      .visitor()
      .raw(sendMagicLink.path, { method: 'POST', json: { email }, headers })
    return { status, text }
  }
  const before = mailServer.mails.length
  const receivers = () => mailServer.mails.slice(before).flatMap(({ to }) => to)
  const answers = [await askFrom(1, 'new-1@example.test')]
  expect(receivers()).toEqual(['new-1@example.test'])
  await app.db`update limit_counters set count = 100 where key = 'stranger-mails:all'`
  for (const n of [2, 3]) answers.push(await askFrom(1, `new-${n}@example.test`))
  for (const n of [4, 5, 6, 7, 8, 9]) answers.push(await askFrom(2, `new-${n}@example.test`))
  answers.push(await askFrom(1, account.email))

  // Each network still has five, so one of the second network's six is not mailed.
  await expect
    .poll(async () => (await app.visitor().raw('/metrics')).text)
    .toMatch(/^banger_limit_refusals_total\{limit="stranger-mail-flood"\} [1-9]/m)
  await expect.poll(receivers).toHaveLength(9)
  expect(receivers()).toEqual(expect.arrayContaining([1, 2, 3].map((n) => `new-${n}@example.test`)))
  expect(receivers()).toContain(account.email)
  expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1)
  await app.db`delete from limit_counters`
})

test('signin-16: while registration is closed, strangers get no mail, and no answer tells who has an account', async () => {
  const server = await app.another({ SMTP_URL: mailServer.url, REGISTRATION: 'closed' })
  const { email } = await app.signIn()
  const ask = async (address: string) => {
    const { status, body } = await server.visitor().call(sendMagicLink, { body: { email: address } })
    return { status, body }
  }
  mailServer.refusing = true
  const refused = await Promise.all([ask(email), ask('stranger@example.test')])
  await expect.poll(() => server.errors.join()).toContain('did not accept a message')
  await expect.poll(() => server.logged.join()).toContain('a sign-in link was not mailed')
  mailServer.refusing = false
  const before = mailServer.mails.length
  const answers = [await ask('stranger@example.test'), await ask(email)]
  await expect.poll(() => mailServer.mails.length - before).toBe(1)

  expect(new Set([...refused, ...answers].map((each) => JSON.stringify(each))).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(mailServer.mails.at(-1)?.to).toEqual([email])
})

test('https responses have Strict-Transport-Security', async () => {
  const { headers } = await app.visitor().raw('/api/auth/user')

  expect(headers['strict-transport-security']).toBe('max-age=31536000')
  expect(headers['content-security-policy']).toContain('upgrade-insecure-requests')

  const wide = await app.another({ HSTS_SUBDOMAINS: 'true' })
  expect((await wide.visitor().raw('/live')).headers['strict-transport-security']).toBe(
    'max-age=31536000; includeSubDomains',
  )
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

test.each([
  ["o'neil+music!#$%&*/=?^_`{|}~-@example.test", "o'neil+music!#$%&*/=?^_`{|}~-@example.test"],
  ['Ada@Bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
])('the sign-in link for %s is mailed to %s', async (typed, address) => {
  const { status } = await mailing.visitor().call(sendMagicLink, { body: { email: typed } })

  expect(status).toBe(200)
  expect(mailServer.mails.at(-1)?.text).toContain(`To: ${address}\r\n`)
})

test('both spellings of an international domain are one account, and its owner sees the readable spelling', async () => {
  const [ada, again] = [
    await development.signIn('ada@bücher.example'),
    await development.signIn('ada@xn--bcher-kva.example'),
  ]
  await ada.call(updateProfile, { body: { isPublic: true, showEmail: true } })

  expect(again.id).toBe(ada.id)
  expect((await again.call(getCurrentUser)).body.email).toBe('ada@bücher.example')
  const seen = await (await development.signIn()).call(getProfile, { params: { id: ada.id } })
  expect(seen.body.email).toBe('ada@bücher.example')
})

test('an account with an international domain is deleted by typing its address as shown', async () => {
  const bob = await development.signIn('bob@例え.テスト')
  const { status } = await bob.call(deleteAccount, { body: { confirmation: 'Bob@例え.テスト' } })

  expect(status).toBe(200)
  expect(await app.db`select from users where id = ${bob.id}`).toHaveLength(0)
})

test('feedback accepts the same addresses', async () => {
  const ada = await development.signIn()
  const send = async (email: string) =>
    (await ada.call(sendFeedback, { body: { email, message: 'Hi' } })).status

  expect(await send("o'neil!#@bücher.example")).toBe(200)
  expect(await send('"ada lovelace"@example.test')).toBe(400)
  expect(
    (await app.db`select email from feedback where user_id = ${ada.id}`).map((row) => row.email),
  ).toEqual(["o'neil!#@xn--bcher-kva.example"])
})
