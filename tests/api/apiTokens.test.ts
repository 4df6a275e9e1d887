import { expect, test } from 'vitest'
import { actOnAccount } from '../../contract/admin.ts'
import { createApiToken, listApiTokens, MAX_API_TOKENS, revokeApiToken } from '../../contract/apiTokens.ts'
import { endAllSessions, getCurrentUser } from '../../contract/auth.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import type { Scope } from '../../contract/endpoint.ts'
import { listRatings } from '../../contract/library.ts'
import { deleteAccount } from '../../contract/profiles.ts'
import { hashToken } from '../../server/auth/tokens.ts'
import { makeMicrogenre } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'

/* Tokens for programs. `everyCall.test.ts` has every call with each scope. */

const app = setUpApp()
const ada = setUpListener(app)

const make = async (who: Visitor, name = 'Backup', scopes: Scope[] = ['read']) =>
  (await who.call(createApiToken, { body: { name, scopes } })).body

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** The status of reading ratings with a token alone. */
async function statusOf(token: string, url = app.url): Promise<number> {
  const program = app.visitor().at(url)
  return (await program.raw(listRatings.path, { headers: bearer(token) })).status
}

test('signin-27: a token is shown once, listed without it, and stored as a hash', async () => {
  const { token, ...made } = await make(ada, ' Backup\u200B ', ['export', 'read', 'read'])

  expect(token).toMatch(/^bob_[\w-]{43}$/)
  expect(made).toMatchObject({ name: 'Backup', scopes: ['read', 'export'], lastUsedAt: null })
  expect((await ada.call(listApiTokens)).body).toEqual([made])
  const [row] = await app.db<{ tokenHash: Buffer }[]>`
    select token_hash from api_tokens where user_id = ${ada.id}`
  expect(row?.tokenHash).toEqual(hashToken(token))
})

test('signin-27: twenty tokens are the limit, also for two tabs at once', async () => {
  for (let n = 1; n < MAX_API_TOKENS; n++) await make(ada)
  const body = { name: 'Last', scopes: ['rate' as const] }
  const both = await Promise.all([1, 2].map(() => ada.call(createApiToken, { body })))

  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(both).toContainEqual(
    expect.objectContaining(refusal(409, 'You can have 20 tokens. Revoke one that you do not use.')),
  )
})

test('signin-27: a revoked token opens nothing any more, on any server at once', async () => {
  const other = await app.another()
  const [{ id, token }, kept] = [await make(ada), await make(ada)]
  for (const { url } of [app, other]) expect(await statusOf(token, url)).toBe(200)
  await ada.call(revokeApiToken, { params: { id } })

  for (const { url } of [app, other]) expect(await statusOf(token, url)).toBe(401)
  expect(await statusOf(kept.token)).toBe(200)
})

test('signin-27: suspension, sign-out everywhere and deletion end tokens', async () => {
  const operator = await app.signIn()
  const [bob, eve, mia] = [await app.signIn(), await app.signIn(), await app.signIn()]
  const tokens: string[] = []
  for (const each of [ada, bob, eve, mia]) tokens.push((await make(each)).token)
  await app.db`update users set suspended_at = now() where id = ${mia.id}`
  await ada.call(endAllSessions)
  await operator.call(actOnAccount, { params: { id: bob.id }, body: { action: 'sign-out' } })
  await eve.call(deleteAccount, { body: { confirmation: eve.email } })
  for (const token of tokens) expect(await statusOf(token)).toBe(401)
})

test('signin-27: the last use is written, at most once a minute', async () => {
  const { token } = await make(ada)
  const lastUse = async () => (await ada.call(listApiTokens)).body[0]?.lastUsedAt
  const age = (seconds: number) => app.db`
    update api_tokens set last_used_at = now() - ${seconds} * interval '1 second' where user_id = ${ada.id}`
  await statusOf(token)
  expect(Date.now() - Date.parse((await lastUse()) ?? '')).toBeLessThan(60_000)

  await age(50)
  const before = await lastUse()
  await statusOf(token)
  expect(await lastUse()).toBe(before)
  await age(70)
  await statusOf(token)
  expect(Date.parse((await lastUse()) ?? '')).toBeGreaterThan(Date.parse(before ?? ''))
})

test('signin-28: a token decides for whom a call is, also beside a cookie; other credentials do not', async () => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  const { token } = await make(bob, 'Rater', ['rate'])
  const rateWith = (headers: Record<string, string>, who: Visitor = ada) =>
    who.raw(rateAndAdvance.path, {
      method: 'POST',
      json: { microgenreId: genre.id, songId: genre.songs[0], rating: 'banger' },
      headers,
    })

  const unknown = refusal(401, 'This token is not known here. It may have been revoked.')
  expect(await rateWith(bearer(`${token.slice(0, -1)}~`))).toMatchObject(unknown)
  expect(await rateWith({ ...bearer(token), origin: 'https://evil.example' })).toMatchObject({ status: 403 })
  expect(await rateWith({ authorization: `Basic ${token}` }, app.visitor())).toMatchObject({ status: 401 })
  expect(await app.visitor().raw(`${listRatings.path}?access_token=${token}`)).toMatchObject({ status: 401 })
  const answer = await rateWith({ authorization: `bearer ${token}` })
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect((await ada.call(listRatings)).body).toEqual([])
  expect((await bob.call(listRatings)).body).toHaveLength(1)
  // A proxy adds its own to the calls of the page.
  for (const authorization of ['Basic YWRhOg==', 'Bearer eyJhbGciOiJub25lIn0'])
    expect((await ada.raw(getCurrentUser.path, { headers: { authorization } })).status).toBe(200)
})

test('limits-1: calls with a token count as those of the listener', async () => {
  const { token } = await make(ada)
  const remaining = async (headers?: Record<string, string>) =>
    Number((await ada.raw(listRatings.path, { headers })).headers['x-ratelimit-remaining'])
  await remaining(bearer(token))
  const before = await remaining()

  expect(await remaining(bearer(token))).toBe(before - 1)
})
