import { expect, test } from 'vitest'
import { sendFeedback } from '../../contract/feedback.ts'
import { mailPendingFeedback } from '../../server/feedback/mailFeedback.ts'
import type { Mail } from '../../server/integrations/mailer.ts'
import { setUpApp } from '../harness/setUpApp.ts'

const app = setUpApp()

test('feedback is stored as it was written', async () => {
  const ada = await app.signIn()
  const message = 'Nice!\n<script>alert(1)</script>\n\u{1F3B5} موسيقى 👩🏽‍🎤 Bcc: x@example.test'
  const { status, body } = await ada.call(sendFeedback, { body: { email: ada.email, message } })

  expect({ status, body }).toEqual({ status: 200, body: { message: 'Thank you for your feedback.' } })
  const [row] = await app.db`select email, message, mailed_at from feedback where user_id = ${ada.id}`
  expect({ ...row }).toEqual({ email: ada.email, message, mailedAt: null })
})

test.each([
  ['no message', { email: 'a@example.test' }, /^message: /],
  ['a blank message', { email: 'a@example.test', message: ' \n ' }, /^message: is missing/],
  ['a message too long', { email: 'a@example.test', message: 'x'.repeat(5001) }, /^message: is too long/],
  ['no address', { message: 'Hi' }, /^email: /],
  ['an invalid address', { email: 'abc', message: 'Hi' }, /^email: /],
  ['two addresses', { email: 'a@example.test\r\nBcc: b@example.test', message: 'Hi' }, /^email: /],
])('%s is rejected, and nothing is stored', async (_, json, message) => {
  const ada = await app.signIn()
  const answer = await ada.raw(sendFeedback.path, { method: 'POST', json })

  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } })
  expect(await app.db`select from feedback where user_id = ${ada.id}`).toHaveLength(0)
})

test('5,000 characters are accepted', async () => {
  const ada = await app.signIn()

  expect(
    (await ada.call(sendFeedback, { body: { email: ada.email, message: 'ü'.repeat(5000) } })).status,
  ).toBe(200)
})

test('the eleventh message within an hour answers 429', async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const send = (who: typeof ada) => who.call(sendFeedback, { body: { email: who.email, message: 'Hi' } })
  for (let i = 0; i < 10; i++) expect((await send(ada)).status).toBe(200)
  const { status, body, headers } = await send(ada)

  expect({ status, body }).toEqual({
    status: 429,
    body: { message: 'You have sent a lot of feedback. Please wait an hour.' },
  })
  expect(Number(headers['retry-after'])).toBeGreaterThan(3500)
  expect((await send(bob)).status).toBe(200)
})

test('feedback is mailed once, and retried after the mail server was down', async () => {
  await app.db`delete from feedback`
  const ada = await app.signIn()
  await ada.call(sendFeedback, { body: { email: ada.email, message: 'Hi' } })
  const mails: Mail[] = []
  let away = true
  const mailer = {
    async send(mail: Mail) {
      if (!away) mails.push(mail)
      return !away
    },
  }
  await mailPendingFeedback(app.db, mailer, 'operator@example.test')
  away = false
  await mailPendingFeedback(app.db, mailer, 'operator@example.test')
  expect(mails).toEqual([])
  await app.db`update feedback set next_attempt_at = now()`
  await Promise.all([1, 2, 3].map(() => mailPendingFeedback(app.db, mailer, 'operator@example.test')))

  expect(mails).toEqual([
    {
      to: 'operator@example.test',
      replyTo: ada.email,
      subject: 'Feedback on Banger or Bust',
      text: `From: ${ada.email}\n\nHi\n`,
    },
  ])
})
