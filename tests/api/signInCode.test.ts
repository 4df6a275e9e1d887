import { beforeEach, expect, test } from 'vitest'
import { createInvitation } from '../../contract/admin.ts'
import { getCurrentUser, openInvitation, redeemMagicLink, sendMagicLink } from '../../contract/auth.ts'
import { redeemCode } from '../../contract/signInCode.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { refusal, type Visitor, visitorAt } from '../harness/visitor.ts'

/* signin-29: the code beside the link. */

const app = setUpApp()
const closed = setUpService(() => app.another({ REGISTRATION: 'closed' }))
const club = setUpService(() => app.another({ REGISTRATION: 'invite' }))
beforeEach(() => app.db`delete from limit_counters`)

const refused = (status: number, message: RegExp) => refusal(status, expect.stringMatching(message))
const WRONG = refused(403, /^This code is wrong\. Please compare it with your newest mail\.$/)
const TOO_OFTEN = refused(403, /^This code was wrong 5 times and .* The link in the mail still does\.$/)
const USED = refused(403, /^This code or its link was used already\./)
const EXPIRED = refused(403, /^This code has expired\./)
const TOO_MANY = refused(429, /^Too many codes were tried today\. Please use the link in the mail\.$/)
const SIGNED_IN = { status: 200, body: { location: '/' } }

let people = 0
const newEmail = () => `coder-${++people}@example.test`

/** The code, another one, and the path of the link. */
async function ask(visitor: Visitor, email = newEmail()) {
  const { body } = await visitor.call(sendMagicLink, { body: { email } })
  const code = body.code ?? ''
  const link = redeemMagicLink.path + new URL(body.magicLink ?? '').search
  return { email, code, link, wrong: code === '123 456' ? '654 321' : '123 456' }
}

const enter = (visitor: Visitor, code: string) => visitor.call(redeemCode, { body: { code } })
const statusOf = async (visitor: Visitor) => (await visitor.call(getCurrentUser)).status

test('the code signs in the browser that asked, with or without its space; it and its link end each other', async () => {
  const [ada, bob] = [app.visitor(), app.visitor()]
  const { code, link, email } = await ask(ada)
  expect(code).toMatch(/^\d{3} \d{3}$/)

  const entered = await enter(ada, code)
  expect(entered).toMatchObject(SIGNED_IN)
  expect((await ada.call(getCurrentUser)).body.email).toBe(email)
  expect([...ada.cookies.keys()]).toEqual(['session'])
  const pressed = await bob.raw(link, { method: 'POST' })
  expect(pressed.headers.location).toBe('/auth?error=link-used')
  const next = await ask(bob)
  await app.visitor().raw(next.link, { method: 'POST' })
  expect(await enter(bob, next.code)).toMatchObject(USED)
  expect(await statusOf(bob)).toBe(401)
  expect(await enter(bob, (await ask(bob)).code.replace(' ', ''))).toMatchObject(SIGNED_IN)
})

test('after five wrong tries the code is dead, and the link works', async () => {
  const ada = app.visitor()
  const { code, wrong, link } = await ask(ada)
  for (let n = 0; n < 4; n++) expect(await enter(ada, wrong)).toMatchObject(WRONG)

  for (const each of [wrong, code]) expect(await enter(ada, each)).toMatchObject(TOO_OFTEN)
  expect(await statusOf(ada)).toBe(401)
  expect((await ada.raw(link, { method: 'POST' })).headers.location).toBe('/')
})

test('of many concurrent tries five are compared, and of right ones one signs in', async () => {
  const ada = app.visitor()
  const { code, wrong, email } = await ask(ada)
  const guesses = await Promise.all(Array.from({ length: 12 }, () => enter(ada, wrong)))
  expect(guesses.filter(({ body }) => /code is wrong/.test(JSON.stringify(body)))).toHaveLength(4)
  expect(await enter(ada, code)).toMatchObject(TOO_OFTEN)

  const next = await ask(ada, email)
  const cookies = [...ada.cookies]
  const ends = await Promise.all(
    Array.from({ length: 4 }, () => enter(visitorAt(app.url, new Map(cookies)), next.code)),
  )
  expect(ends.filter(({ body }) => body.location === '/')).toHaveLength(1)
  expect(
    await app.db`select from sessions s join users u on u.id = s.user_id where email = ${email}`,
  ).toHaveLength(1)
})

test('in another browser, and after a newer request, the code is as wrong as any', async () => {
  const [ada, eve, nobody] = [app.visitor(), app.visitor(), app.visitor()]
  const { code, email } = await ask(ada)
  await ask(eve, email)
  for (const visitor of [eve, nobody]) expect(await enter(visitor, code)).toMatchObject(WRONG)
  expect(await enter(visitorAt(app.url, new Map([['asking', 'x'.repeat(43)]])), code)).toMatchObject(WRONG)

  const newer = await ask(ada, email)
  if (newer.code !== code) expect(await enter(ada, code)).toMatchObject(WRONG)
  expect(await enter(ada, newer.code)).toMatchObject(SIGNED_IN)
})

test('a code works for 15 minutes', async () => {
  const ada = app.visitor()
  const { code, email } = await ask(ada)
  const age = (minutes: number) => app.db`
    update sign_in_tokens set expires_at = expires_at - ${minutes} * interval '1 minute' where email = ${email}`
  await age(15)
  expect(await enter(ada, code)).toMatchObject(EXPIRED)
  await age(-1)
  expect(await enter(ada, code)).toMatchObject(SIGNED_IN)
})

test('limits-2: more requests buy no more guesses, of an address or a network', async () => {
  const [ada, eve] = [app.visitor(), app.visitor()]
  const { code, email, link } = await ask(ada)
  await app.db`
    insert into limit_counters (key, count, expires_at) values (${`code-address:${email}`}, 20, now() + interval '1 day')`
  expect(await enter(ada, code)).toMatchObject(TOO_MANY)
  expect((await ada.raw(link, { method: 'POST' })).headers.location).toBe('/')

  await app.db`update limit_counters set count = 99 where key like 'code-ip:%'`
  for (const person of [app.visitor(), app.visitor()])
    expect(await enter(person, (await ask(person)).code)).toMatchObject(SIGNED_IN)
  const other = await ask(eve)
  expect(await enter(eve, other.wrong)).toMatchObject(WRONG)
  expect(await enter(eve, other.code)).toMatchObject(TOO_MANY)
})

test.each(['', '12345', '1234567', '12345a', '１２３４５６'])('%j is no code, and no try', async (text) => {
  const ada = app.visitor()
  const { code } = await ask(ada)
  for (let n = 0; n < 6; n++)
    expect(await enter(ada, text)).toMatchObject(refusal(400, 'code: must have six digits'))
  expect(await enter(ada, code)).toMatchObject(SIGNED_IN)
})

test('neither the table nor the log has the code', async () => {
  const { code, wrong, email } = await ask(app.visitor())
  await enter(app.visitor(), wrong)
  const [row] = await app.db`select t::text as text from sign_in_tokens t where email = ${email}`
  for (const text of [row?.text, app.logged.join('')])
    for (const each of [code, wrong, code.replace(' ', '')]) expect(text).not.toContain(each)
})

test('signin-16: while registration is closed the code admits whom the link admits', async () => {
  const account = await app.signIn(newEmail())
  const [known, stranger] = [closed.visitor(), closed.visitor()]
  expect(await enter(known, (await ask(known, account.email)).code)).toMatchObject(SIGNED_IN)
  const { code, email } = await ask(stranger)
  const answer = await enter(stranger, code)
  expect(answer).toMatchObject({ status: 200, body: { location: '/auth?error=not-invited' } })
  expect(await statusOf(stranger)).toBe(401)
  expect(await app.db`select from users where email = ${email}`).toHaveLength(0)
})

test('signin-18: a code makes the account of an invitation, once', async () => {
  const operator = (await app.signIn('operator@example.test')).at(club.url)
  const { body } = await operator.call(createInvitation, { body: { days: 1, uses: 1 } })
  const [guest, late] = [club.visitor(), club.visitor()]
  for (const visitor of [guest, late])
    await visitor.call(openInvitation, { body: { token: body.link.split('/').at(-1) ?? '' } })
  const [first, second] = [await ask(guest), await ask(late)]

  expect(await enter(guest, first.code)).toMatchObject(SIGNED_IN)
  expect((await enter(late, second.code)).body.location).toBe('/auth?error=invitation-over')
  expect([await statusOf(guest), await statusOf(late)]).toEqual([200, 401])
})
