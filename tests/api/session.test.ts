import { expect, test } from 'vitest'
import { getCurrentUser, logout } from '../../contract/auth.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import {
  signInWithFacebook,
  signInWithGoogle,
  signInWithOpenId,
  signInWithReplit,
} from '../../contract/signInProviders.ts'
import { makeMicrogenre } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { visitorAt } from '../harness/visitor.ts'

const app = setUpApp()

test('logout ends the session on the server and redirects to the landing page', async () => {
  const ada = await app.signIn()
  const copied = new Map(ada.cookies)
  const answer = await ada.call(logout)

  expect(answer).toMatchObject({ status: 302, headers: { location: '/' } })
  expect(answer.headers['set-cookie']).toEqual([expect.stringMatching(/^session=; Max-Age=0; Path=\//)])
  expect((await visitorAt(app.url, copied).call(getCurrentUser)).status).toBe(401)
  expect(await app.db`select from sessions where user_id = ${ada.id}`).toHaveLength(0)
})

test('logout without a session redirects to the landing page too, and ends no other session', async () => {
  const ada = await app.signIn()

  expect(await app.visitor().call(logout)).toMatchObject({ status: 302, headers: { location: '/' } })
  expect((await ada.call(getCurrentUser)).status).toBe(200)
})

test('a made-up session is not valid', async () => {
  for (const token of ['x', 'x'.repeat(43), 'x'.repeat(101), '%00', "' or 1=1 --"]) {
    const stranger = visitorAt(app.url, new Map([['session', token]]))
    expect((await stranger.call(getCurrentUser)).status).toBe(401)
  }
})

test('a session ends 30 days after its last use', async () => {
  const ada = await app.signIn()
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

test('suspending an account ends its sessions everywhere', async () => {
  const ada = await app.signIn()
  await app.db`update users set suspended_at = now() where id = ${ada.id}`
  const otherServer = await app.another()

  expect((await ada.at(otherServer.url).call(getCurrentUser)).status).toBe(401)
})

test.each([
  'https://evil.example',
  'http://evil.example',
  'null',
  'http://localhost.evil.example',
  'http://localhost:1',
  'http://localhost',
  'not an address',
])('a write from a page of %s is rejected, and changes nothing', async (origin) => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  const { status, body } = await ada.raw(rateAndAdvance.path, {
    method: 'POST',
    json: { microgenreId: genre.id, songId: genre.songs[0], rating: 'banger' },
    headers: { origin },
  })

  expect({ status, body }).toEqual({ status: 403, body: { message: 'This request came from another site.' } })
  expect(await app.db`select from ratings where user_id = ${ada.id}`).toHaveLength(0)
})

test('a write is accepted from our own page under any local name, and without an Origin', async () => {
  const ada = await app.signIn()
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
  expect(
    (
      await ada.raw(rateAndAdvance.path, {
        method: 'POST',
        json,
        headers: { origin: 'https://evil.example' },
      })
    ).status,
  ).toBe(403)
})

test("a read from another site's page is answered without CORS headers, so browsers keep the response from it", async () => {
  const ada = await app.signIn()
  const { status, headers } = await ada.raw('/api/auth/user', { headers: { origin: 'https://evil.example' } })

  expect(status).toBe(200)
  expect(headers['access-control-allow-origin']).toBeUndefined()
})

test.each([signInWithGoogle, signInWithFacebook, signInWithReplit, signInWithOpenId])(
  '$path without keys redirects to the sign-in screen',
  async (endpoint) => {
    expect(await app.visitor().call(endpoint)).toMatchObject({
      status: 302,
      headers: { location: '/auth?error=provider-unavailable' },
    })
  },
)

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
