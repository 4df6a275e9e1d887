import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getCurrentUser, sendMagicLink } from '../../contract/auth.ts'
import { sendFeedback } from '../../contract/feedback.ts'
import { deleteAccount, getProfile, updateProfile } from '../../contract/profiles.ts'
import { setUpApp, type TestApp } from '../harness/setUpApp.ts'
import { type MailServer, startMailServer } from '../stand-ins/mailServer.ts'

/** In development the response also has the link. */
const app = setUpApp()
let mailServer: MailServer
let mailing: TestApp
beforeAll(async () => {
  mailServer = await startMailServer()
  mailing = await app.another({ SMTP_URL: mailServer.url })
})
afterAll(() => mailServer.close())
beforeEach(() => app.db`delete from rate_limits`)

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
  const [ada, again] = [await app.signIn('ada@bücher.example'), await app.signIn('ada@xn--bcher-kva.example')]
  await ada.call(updateProfile, { body: { isPublic: true, showEmail: true } })

  expect(again.id).toBe(ada.id)
  expect((await again.call(getCurrentUser)).body.email).toBe('ada@bücher.example')
  const seen = await (await app.signIn()).call(getProfile, { params: { id: ada.id } })
  expect(seen.body.email).toBe('ada@bücher.example')
})

test('an account with an international domain is deleted by typing its address as shown', async () => {
  const bob = await app.signIn('bob@例え.テスト')
  const { status } = await bob.call(deleteAccount, { body: { confirmation: 'Bob@例え.テスト' } })

  expect(status).toBe(200)
  expect(await app.db`select from users where id = ${bob.id}`).toHaveLength(0)
})

test('feedback accepts the same addresses', async () => {
  const ada = await app.signIn()
  const send = async (email: string) =>
    (await ada.call(sendFeedback, { body: { email, message: 'Hi' } })).status

  expect(await send("o'neil!#@bücher.example")).toBe(200)
  expect(await send('"ada lovelace"@example.test')).toBe(400)
  expect(
    (await app.db`select email from feedback where user_id = ${ada.id}`).map((row) => row.email),
  ).toEqual(["o'neil!#@xn--bcher-kva.example"])
})
