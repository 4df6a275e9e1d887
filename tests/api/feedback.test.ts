import { beforeEach, describe, expect, test } from 'vitest'
import { contactOperator, FEEDBACK_PAGE_SIZE, listFeedback, sendFeedback } from '../../contract/feedback.ts'
import { deleteAccount, updateProfile } from '../../contract/profiles.ts'
import { sweepFeedback } from '../../server/feedback/feedback.ts'
import { mailPendingFeedback } from '../../server/feedback/mailFeedback.ts'
import type { Mail } from '../../server/integrations/mailer.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { refusal, visitorAt } from '../harness/visitor.ts'

const app = setUpApp()
const ada = setUpListener(app)
const THANK_YOU = { message: 'Thank you for your feedback.' }

test('feedback is stored as it was written', async () => {
  const message = 'Nice!\n<script>alert(1)</script>\n\u{1F3B5} موسيقى 👩🏽‍🎤 Bcc: x@example.test'
  const { status, body } = await ada.call(sendFeedback, { body: { email: ada.email, message } })

  expect({ status, body }).toEqual({ status: 200, body: THANK_YOU })
  const [row] = await app.db`select email, message, mailed_at from feedback where user_id = ${ada.id}`
  expect({ ...row }).toEqual({ email: ada.email, message, mailedAt: null })
})

test('5,000 characters are accepted', async () => {
  expect(
    (await ada.call(sendFeedback, { body: { email: ada.email, message: 'ü'.repeat(5000) } })).status,
  ).toBe(200)
})

test('the eleventh message within an hour answers 429', async () => {
  const bob = await app.signIn()
  const send = (who: typeof ada) => who.call(sendFeedback, { body: { email: who.email, message: 'Hi' } })
  for (let i = 0; i < 10; i++) expect((await send(ada)).status).toBe(200)
  const { status, body, headers } = await send(ada)

  expect({ status, body }).toEqual(refusal(429, 'You have sent a lot of feedback. Please wait an hour.'))
  expect(Number(headers['retry-after'])).toBeGreaterThan(3500)
  expect((await send(bob)).status).toBe(200)
})

test('feedback is mailed once, and retried after the mail server was down', async () => {
  await app.db`delete from feedback`
  await ada.call(sendFeedback, { body: { email: ada.email, message: 'Hi' } })
  const mails: Mail[] = []
  let isMailDown = true
  // What the mail server does not accept uses up nothing.
  await app.db`
    insert into limit_counters (key, count, expires_at)
    values ('messages-mailed:listeners', 199, now() + interval '1 hour')`
  const mailer = {
    async send(mail: Mail) {
      if (!isMailDown) mails.push(mail)
      return !isMailDown
    },
  }
  await mailPendingFeedback(app.db, mailer, 'operator@example.test')
  isMailDown = false
  await mailPendingFeedback(app.db, mailer, 'operator@example.test')
  expect(mails).toEqual([])
  // After a mail server was down for years.
  await app.db`update feedback set next_attempt_at = now(), attempts = 2000`
  await Promise.all([1, 2, 3].map(() => mailPendingFeedback(app.db, mailer, 'operator@example.test')))

  expect(mails).toEqual([
    {
      to: 'operator@example.test',
      replyTo: ada.email,
      subject: 'Feedback on Banger or Bust',
      text: `From: ${ada.email}\n\nHi\n`,
    },
  ])
  await app.db`delete from limit_counters`
})

describe('people-24: a listener who wants no e-mails', () => {
  test('has no address in the mail, nor in the list, until the switch is off again', async () => {
    await app.db`delete from feedback`
    await ada.call(sendFeedback, { body: { email: ada.email, message: 'Hi' } })
    await ada.call(updateProfile, { body: { emailOptOut: true } })
    const mails: Mail[] = []
    const mailer = { send: async (mail: Mail) => mails.push(mail) > 0 }
    await mailPendingFeedback(app.db, mailer, 'operator@example.test')
    const listed = (await ada.call(listFeedback)).body
    await ada.call(updateProfile, { body: { emailOptOut: false } })

    expect(mails).toEqual([
      {
        to: 'operator@example.test',
        subject: 'Feedback on Banger or Bust',
        text: 'From: a listener who wants no e-mails\n\nHi\n',
      },
    ])
    expect(listed.map(({ email }) => email)).toEqual([null])
    expect((await ada.call(listFeedback)).body.map(({ email }) => email)).toEqual([ada.email])
  })
})

describe('people-25: a message to the operator', () => {
  beforeEach(() => app.db`delete from limit_counters`)
  const body = { email: 'someone@example.test', message: 'What do you keep about me?' }

  test('needs no account; it is stored as it was written', async () => {
    await app.db`delete from feedback`
    const answer = await app.visitor().call(contactOperator, { body })
    const storedRows = await app.db`select user_id, email, message from feedback`

    expect(answer).toMatchObject({ status: 200, body: THANK_YOU })
    expect(storedRows.map((row) => ({ ...row }))).toEqual([{ userId: null, ...body }])
  })

  test("and feedback are deleted after a year, a listener's also with the account", async () => {
    await app.db`delete from feedback`
    await app.visitor().call(contactOperator, { body })
    for (const call of [contactOperator, sendFeedback]) await ada.call(call, { body })
    const count = async () => (await app.db`select from feedback`).length
    await app.db`update feedback set created_at = now() - interval '364 days'`
    await sweepFeedback(app.db)
    expect(await count()).toBe(3)
    await app.db`update feedback set created_at = now() - interval '366 days' where user_id is null`
    await app.db`
      update feedback set created_at = now() - interval '366 days' where id = (select max(id) from feedback)`
    await sweepFeedback(app.db)
    expect(await count()).toBe(1)
    await ada.call(deleteAccount, { body: { confirmation: ada.email } })
    expect(await count()).toBe(0)
  })

  test('limits-2: five an hour of a network, and beyond 200 a day in all one of each network', async () => {
    const { url } = await app.another({ TRUST_PROXY: '1' })
    const sendFrom = (network: number) =>
      visitorAt(url).raw(contactOperator.path, {
        method: 'POST',
        json: body,
        headers: { 'x-forwarded-for': `203.0.113.${network}` },
      })
    for (let i = 0; i < 5; i++) expect((await sendFrom(1)).status).toBe(200)
    const sixth = await sendFrom(1)
    await app.db`update limit_counters set count = 200 where key = 'messages:all'`

    expect(sixth).toMatchObject(
      refusal(429, 'Several messages were sent from your network. Please wait an hour.'),
    )
    expect((await sendFrom(2)).status).toBe(200)
    const second = await sendFrom(2)
    expect(second).toMatchObject(refusal(429, 'Too many messages arrived today. Please try again tomorrow.'))
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(3600)
    expect((await sendFrom(3)).status).toBe(200)
  })

  test.each(['visitors', 'listeners'])(
    'beyond 200 mails a day %s wait for theirs, others do not',
    async (who) => {
      await app.db`delete from feedback`
      await app.visitor().call(contactOperator, { body })
      await ada.call(sendFeedback, { body: { email: ada.email, message: 'Hi' } })
      await app.db`
      insert into limit_counters (key, count, expires_at)
      values (${`messages-mailed:${who}`}, 200, now() + interval '1 hour')`
      const mails: Mail[] = []
      const mail = () =>
        mailPendingFeedback(app.db, { send: async (each) => mails.push(each) > 0 }, 'operator@example.test')
      await mail()
      expect((await app.visitor().raw('/metrics')).text).toMatch(
        /^banger_limit_refusals_total\{limit="messages-mailed"\} [1-9]/m,
      )
      const [first, last] = who === 'visitors' ? [ada.email, body.email] : [body.email, ada.email]
      expect(mails.map(({ replyTo }) => replyTo)).toEqual([first])

      await app.db`delete from limit_counters`
      await app.db`update feedback set next_attempt_at = now()`
      await mail()
      expect(mails.map(({ replyTo }) => replyTo)).toEqual([first, last])
    },
  )
})

describe('diagnostics-22: the list of feedback', () => {
  test('has who wrote what and when, newest first, and whether it was mailed', async () => {
    await app.db`delete from feedback`
    await app.db`delete from limit_counters`
    await ada.call(sendFeedback, { body: { email: ada.email, message: 'First\n<b>' } })
    await app.db`update feedback set mailed_at = now()`
    await app.visitor().call(contactOperator, { body: { email: 'v@example.test', message: 'Second' } })
    const { body } = await ada.call(listFeedback)

    expect(body).toEqual([
      {
        id: expect.any(String),
        from: 'visitor',
        email: 'v@example.test',
        message: 'Second',
        createdAt: expect.stringMatching(/Z$/),
        mailed: false,
      },
      {
        id: expect.any(String),
        from: 'listener',
        email: ada.email,
        message: 'First\n<b>',
        createdAt: expect.stringMatching(/Z$/),
        mailed: true,
      },
    ])
  })

  test('comes in pages, which together have every message once', async () => {
    await app.db`delete from feedback`
    const count = 2 * FEEDBACK_PAGE_SIZE + 3
    await app.db`
      insert into feedback (email, message) select 'v@example.test', 'Message ' || i
      from generate_series(1, ${count}::int) i`
    const seen: string[] = []
    const sizes: number[] = []
    for (let before: string | undefined; ; ) {
      const { body } = await ada.call(listFeedback, { query: before === undefined ? {} : { before } })
      sizes.push(body.length)
      seen.push(...body.map(({ message }) => message))
      before = body.at(-1)?.id
      if (body.length < FEEDBACK_PAGE_SIZE) break
    }

    expect(sizes).toEqual([FEEDBACK_PAGE_SIZE, FEEDBACK_PAGE_SIZE, 3])
    expect(seen).toEqual(Array.from({ length: count }, (_, i) => `Message ${count - i}`))
  })
})
