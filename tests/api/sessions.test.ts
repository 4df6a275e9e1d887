import { expect, onTestFinished, test, vi } from 'vitest'
import {
  endAllSessions,
  endSession,
  followMagicLink,
  getCurrentUser,
  listSessions,
  logout,
  redeemMagicLink,
  sendMagicLink,
} from '../../contract/auth.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { LISTENER_HEADER } from '../../contract/endpoint.ts'
import { listRatings } from '../../contract/library.ts'
import { restoreAccount, suspendAccount } from '../../server/auth/accountRights.ts'
import { Sessions } from '../../server/auth/sessions.ts'
import { makeMicrogenre } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { refusal, visitorAt } from '../harness/visitor.ts'

const app = setUpApp()
const ada = setUpListener(app)

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/** The same listener in another browser. */
async function signInElsewhere(email: string, userAgent: string) {
  await app.db`delete from limit_counters`
  const browser = app.visitor()
  const { body } = await browser.call(sendMagicLink, { body: { email } })
  const token = new URL(body.magicLink ?? '').searchParams.get('token')
  await browser.raw(`${followMagicLink.path}?token=${token}`, { headers: { 'user-agent': userAgent } })
  return browser
}

test("lists the listener's sessions without their tokens, the current one first", async () => {
  await app.signIn()
  const phone = await signInElsewhere(ada.email, PHONE)

  const { status, body } = await phone.call(listSessions)
  expect({ status, body }).toEqual({
    status: 200,
    body: [
      {
        id: expect.stringMatching(/^\d+$/),
        device: 'Safari on iPhone',
        kind: 'mobile',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        lastSeenAt: expect.stringMatching(/^\d{4}-.*Z$/),
        current: true,
      },
      expect.objectContaining({ device: 'Unknown browser', kind: 'other', current: false }),
    ],
  })
})

test('an expired session is not listed, and is deleted at the next sign-in', async () => {
  await app.db`update sessions set expires_at = now() where user_id = ${ada.id}`
  const phone = await signInElsewhere(ada.email, PHONE)

  expect((await phone.call(listSessions)).body).toHaveLength(1)
  expect(await app.db`select from sessions where user_id = ${ada.id}`).toHaveLength(1)
})

test('ending one session takes effect at once, also on the server that cached it, and ends no other', async () => {
  const phone = await signInElsewhere(ada.email, PHONE)
  expect((await phone.call(getCurrentUser)).status).toBe(200)
  const [, other] = (await ada.call(listSessions)).body

  expect(await ada.call(endSession, { params: { id: other?.id ?? '' } })).toMatchObject({
    status: 200,
    body: { success: true },
  })
  expect((await phone.call(getCurrentUser)).status).toBe(401)
  expect((await ada.call(listSessions)).body).toHaveLength(1)
  expect((await ada.call(endSession, { params: { id: other?.id ?? '' } })).status).toBe(404)
})

test('each use extends the session and its cookie to 30 days', async () => {
  expect((await ada.call(getCurrentUser)).headers['set-cookie']).toBeUndefined()
  await app.db`update sessions set last_seen_at = now() - interval '61 minutes' where user_id = ${ada.id}`
  const otherServer = await app.another()
  const token = ada.cookies.get('session')

  const { headers } = await ada.at(otherServer.url).call(getCurrentUser)
  expect(headers['set-cookie']).toEqual([`session=${token}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`])
  expect((await ada.at(otherServer.url).call(getCurrentUser)).headers['set-cookie']).toBeUndefined()
})

test("signing out everywhere ends every session of the listener, and nobody else's", async () => {
  const bob = await app.signIn()
  const phone = await signInElsewhere(ada.email, PHONE)
  const copiedCookies = visitorAt(app.url, new Map(ada.cookies))
  expect((await phone.call(getCurrentUser)).status).toBe(200)

  const { status, headers } = await ada.call(endAllSessions)
  expect(status).toBe(200)
  expect(headers['set-cookie']).toEqual([expect.stringMatching(/^session=; Max-Age=0; Path=\//)])
  for (const browser of [ada, phone, copiedCookies])
    expect((await browser.call(getCurrentUser)).status).toBe(401)
  expect((await bob.call(getCurrentUser)).status).toBe(200)
})

test('logout ends the session on the server and redirects to the landing page', async () => {
  const copiedCookies = new Map(ada.cookies)
  const answer = await ada.call(logout)

  expect(answer).toMatchObject({ status: 302, headers: { location: '/' } })
  expect(answer.headers['set-cookie']).toEqual([expect.stringMatching(/^session=; Max-Age=0; Path=\//)])
  expect((await visitorAt(app.url, copiedCookies).call(getCurrentUser)).status).toBe(401)
  expect(await app.db`select from sessions where user_id = ${ada.id}`).toHaveLength(0)
})

test('logout without a session redirects to the landing page too, and ends no other session', async () => {
  expect(await app.visitor().call(logout)).toMatchObject({ status: 302, headers: { location: '/' } })
  expect((await ada.call(getCurrentUser)).status).toBe(200)
})

test('signin-12: another site cannot sign a listener out', async () => {
  for (const site of ['cross-site', 'same-site']) {
    const answer = await ada.raw(logout.path, { headers: { 'sec-fetch-site': site } })
    expect(answer).toMatchObject({ status: 302, headers: { location: '/' } })
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  expect((await ada.call(getCurrentUser)).status).toBe(200)

  await ada.raw(logout.path, { headers: { 'sec-fetch-site': 'same-origin' } })
  expect((await ada.call(getCurrentUser)).status).toBe(401)
})

test('a session ends after a year, however often it is used', async () => {
  await app.db`
    update sessions set created_at = now() - interval '364 days', last_seen_at = now() - interval '2 hours'
    where user_id = ${ada.id}`
  const otherServer = await app.another()
  expect((await ada.at(otherServer.url).call(getCurrentUser)).status).toBe(200)
  const [row] = await app.db<{ hours: number }[]>`
    select round(extract(epoch from expires_at - now()) / 3600)::int as hours from sessions where user_id = ${ada.id}`

  expect(row?.hours).toBe(24)
})

test('a session ends 30 days after its last use', async () => {
  await app.db`
    update sessions set expires_at = now() + interval '1 minute', last_seen_at = now() - interval '2 hours'
    where user_id = ${ada.id}`
  const otherServer = await app.another()
  expect((await ada.at(otherServer.url).call(getCurrentUser)).status).toBe(200)
  const [row] = await app.db<{ days: number }[]>`
    select round(extract(epoch from expires_at - now()) / 86400)::int as days from sessions where user_id = ${ada.id}`
  expect(row?.days).toBe(30)

  await app.db`update sessions set expires_at = now() where user_id = ${ada.id}`
  const third = await app.another()
  expect((await ada.at(third.url).call(getCurrentUser)).status).toBe(401)
})

test('a session that ends while it is being read is not cached', async () => {
  for (const end of ['end', 'endOne', 'endAll'] as const) {
    const ada = await app.signIn()
    const token = ada.cookies.get('session') ?? ''
    const [row] = await app.db<{ id: string }[]>`select id from sessions where user_id = ${ada.id}`
    const sessions = new Sessions(app.db)
    const reading = Array.from({ length: 6 }, () => sessions.find(token))
    if (end === 'end') await sessions.end(token)
    else if (end === 'endOne') await sessions.endSession(ada.id, row?.id ?? '')
    else await sessions.endAll(ada.id)
    await Promise.all(reading)

    expect(await sessions.find(token)).toBeNull()
  }
})

test('a cached session is refreshed in the background, and notices when another process ended it', async () => {
  const { sessions, token, user, pass } = await findSession()
  await app.db`delete from sessions where user_id = ${user.id}`
  pass(3000)

  expect(await sessions.find(token)).toEqual(user)
  await expect.poll(() => sessions.find(token)).toBeNull()
})

test('a background refresh does not extend the session; the next call does, and renews the cookie', async () => {
  const { sessions, token, user, pass } = await findSession()
  await app.db`update sessions set last_seen_at = now() - interval '61 minutes' where user_id = ${user.id}`
  const onRenewed = vi.fn()
  pass(3000)
  expect(await sessions.find(token, onRenewed)).toEqual(user)
  pass(2001)

  expect(await sessions.find(token, onRenewed)).toEqual(user)
  expect(onRenewed).toHaveBeenCalledOnce()
})

/** A cached session, and a clock that moves only when `pass` is called. */
async function findSession() {
  const ada = await app.signIn()
  const token = ada.cookies.get('session') ?? ''
  const sessions = new Sessions(app.db)
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const user = await sessions.find(token)
  if (!user) throw new Error('The session was not found.')
  return { sessions, token, user, pass: (milliseconds: number) => (now += milliseconds) }
}

test('a suspended listener is signed out, cannot sign in by link, and can again when restored', async () => {
  expect(await suspendAccount(app.db, ada.id, 'operator')).toBe(true)
  expect(await suspendAccount(app.db, ada.id, 'operator')).toBe(false)
  const { body } = await app.visitor().call(sendMagicLink, { body: { email: ada.email } })
  const token = new URL(body.magicLink ?? '').searchParams.get('token')
  const browser = app.visitor()

  const answer = await browser.raw(`${redeemMagicLink.path}?token=${token}`, { method: 'POST' })
  expect(answer).toMatchObject({ status: 302, headers: { location: '/auth?error=suspended' } })
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(await app.db`select from sessions where user_id = ${ada.id}`).toHaveLength(0)

  expect(await restoreAccount(app.db, ada.id, 'operator')).toBe(true)
  expect(await restoreAccount(app.db, ada.id, 'operator')).toBe(false)
  expect((await app.signIn(ada.email)).id).toBe(ada.id)
})

test('signin-26: a call that means somebody else changes nothing; one that means nobody is for the session', async () => {
  const genre = await makeMicrogenre(app.db, 3)
  const bob = await app.signIn()
  const rate = async (songId = '', meant?: string) => {
    const headers: Record<string, string> = meant === undefined ? {} : { [LISTENER_HEADER]: meant }
    const json = { microgenreId: genre.id, songId, rating: 'banger' }
    const { status, body } = await bob.raw(rateAndAdvance.path, { method: 'POST', json, headers })
    return status === 200 ? 200 : { status, body }
  }
  expect(await rate(genre.songs[0], ada.id)).toEqual(
    refusal(409, 'Somebody else is signed in now. Nothing was changed.'),
  )
  expect([await rate(genre.songs[1], bob.id), await rate(genre.songs[2])]).toEqual([200, 200])
  expect(new Set((await bob.call(listRatings)).body.map(({ id }) => id))).toEqual(
    new Set(genre.songs.slice(1)),
  )

  // Signing in and reading are allowed, also for a page whose session has ended.
  const headers = { [LISTENER_HEADER]: ada.id }
  const json = { email: ada.email }
  expect((await app.visitor().raw(sendMagicLink.path, { method: 'POST', json, headers })).status).toBe(200)
  expect((await bob.raw(listRatings.path, { headers })).status).toBe(200)
})
