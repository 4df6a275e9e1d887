import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getCurrentUser, sendMagicLink } from '../../contract/auth.ts'
import { createCollection, shareCollection } from '../../contract/collections.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { sendFeedback } from '../../contract/feedback.ts'
import { listRatings } from '../../contract/library.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { getSharedCollection } from '../../contract/sharing.ts'
import { makeMicrogenre, rate } from '../factories.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../harness/databaseProxy.ts'
import { findSecrets, INTERNALS } from '../harness/findSecrets.ts'
import { setUpApp, startApp, type TestApp } from '../harness/setUpApp.ts'
import { refusal } from '../harness/visitor.ts'

const app = setUpApp()
/** The same database behind a proxy that can cut connections. */
let remote: TestApp
let line: DatabaseProxy
let close = async () => {}

beforeAll(async () => {
  line = await startDatabaseProxy(app.target)
  const started = await startApp(line.target)
  remote = started.app
  close = started.close
})
afterAll(async () => {
  await line.restore()
  await close()
  await line.close()
})

test('characters split between chunks are decoded correctly', async () => {
  const ada = await app.signIn()
  const { status } = await ada.raw('/api/contact', {
    method: 'POST',
    body: '{"email":"a@example.test","message":"half \\ud83c letter"}',
    headers: { 'content-type': 'application/json' },
  })

  expect(status).toBe(200)
})

test('a server error is a bare 500, and the log has the details and the id in the response', async () => {
  const broken = await app.another()
  const ada = await app.signIn()
  const bob = ada.at(broken.url)
  await bob.call(listRatings)
  await app.db`alter table ratings rename to away`
  const { status, headers, body, text } = await bob.raw(listRatings.path)
  await app.db`alter table away rename to ratings`

  expect({ status, body }).toEqual(refusal(500, 'Something went wrong on our side. Please try again.'))
  expect(text).not.toMatch(INTERNALS)
  expect(broken.errors.join()).toMatch(/relation .*ratings.* does not exist/)
  expect(broken.errors.map((line) => (JSON.parse(line) as { reqId: string }).reqId)).toEqual([
    headers['x-request-id'],
  ])
})

test('every response has its own id, also errors and unknown paths', async () => {
  const ada = await app.signIn()
  const answers = [
    await ada.raw(listRatings.path),
    await ada.raw(rateAndAdvance.path, { method: 'POST', body: '{' }),
    await ada.raw('/api/nope'),
    await app.visitor().raw(listRatings.path),
    await ada.raw('/health'),
  ]
  const ids = answers.map(({ headers }) => headers['x-request-id'])

  expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(String(id)))).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
})

test('only a trusted proxy can set the request id', async () => {
  const id = 'proxy-0123456789abcdef'
  const behind = await app.another({ TRUST_PROXY: '1' })
  const headers = { 'x-request-id': id }

  expect((await behind.visitor().raw('/health', { headers })).headers['x-request-id']).toBe(id)
  expect((await app.visitor().raw('/health', { headers })).headers['x-request-id']).not.toBe(id)
  const odd = { 'x-request-id': 'a line" of its own' }
  expect((await behind.visitor().raw('/health', { headers: odd })).headers['x-request-id']).toMatch(
    /^[0-9a-f-]{36}$/,
  )
})

test('without its database the server answers 503 with Retry-After, and recovers by itself', async () => {
  const ada = await remote.signIn()
  const genre = await makeMicrogenre(app.db, 3)
  await line.cut()

  for (const path of ['/api/auth/user', '/api/microgenres', '/health', '/api/users/me/ratings']) {
    const { status, headers, body, text } = await ada.raw(path)
    expect([path, status]).toEqual([path, 503])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(body).toEqual({ message: expect.any(String) })
    expect(text).not.toMatch(INTERNALS)
  }
  expect((await rate(ada, genre.id, genre.songs[0] ?? '')).status).toBe(503)
  expect(remote.errors.length).toBeGreaterThan(4)
  expect(remote.errors.filter((logged) => logged.includes('.ts:'))).toEqual([])
  // No other server would do better.
  expect((await ada.raw('/ready')).status).toBe(200)

  await line.restore()
  await expect.poll(async () => (await ada.raw('/health')).status).toBe(200)
  expect((await rate(ada, genre.id, genre.songs[0] ?? '')).status).toBe(200)
  expect((await ada.call(listRatings)).body).toHaveLength(1)
})

test('a rating that waited five seconds for a connection is never stored', async () => {
  const ada = await remote.signIn()
  const genre = await makeMicrogenre(app.db, 30)
  line.freeze()
  // More calls than connections of the pool, so the last ones wait.
  const answers = await Promise.all(genre.songs.map((song) => rate(ada, genre.id, song)))
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([503])
  await line.restore()
  await expect.poll(async () => (await ada.raw('/health')).status).toBe(200)
  // As many calls as connections, which run after everything queued.
  const after = await Promise.all(Array.from({ length: 20 }, () => ada.call(listRatings)))

  expect(after.map(({ body }) => body.length)).toEqual(after.map(() => 0))
})

test('limits-3: a call answers 503 after five seconds when the database hangs, and other calls continue', async () => {
  const ada = await remote.signIn()
  line.freeze()
  const answered: number[] = []
  const [slow] = await Promise.all(
    [
      ada.raw(rateAndAdvance.path, {
        method: 'POST',
        json: { microgenreId: '1', songId: '1', rating: 'banger' },
      }),
      ada.raw('/api/nope'),
    ].map(async (call) => {
      const answer = await call
      answered.push(answer.status)
      return answer
    }),
  )

  expect(slow).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
  expect(answered).toEqual([404, 503])
  await line.restore()
  await expect.poll(async () => (await ada.raw('/health')).status).toBe(200)
})

describe('logs', () => {
  /*
   * No token, e-mail or cookie in the logs. harness/setUpApp.ts checks the server of every test file when it closes,
   * and the browser tests check after every test; this file tests the check itself, and one journey line by line.
   */

  const app = setUpApp()

  test('a listener signs in, shares, writes and fails: the log has the routes and no personal data', async () => {
    const ada = app.visitor()
    const email = 'ada@example.test'
    const { body: sent } = await ada.call(sendMagicLink, { body: { email } })
    const link = new URL(sent.magicLink ?? '')
    const mark = ada.cookies.get('asking') ?? ''
    await ada.raw(link.pathname + link.search)
    await ada.raw(link.pathname + link.search)
    const { body: collection } = await ada.call(createCollection, { body: { name: 'Mine', isPublic: true } })
    const { shareToken } = (await ada.call(shareCollection, { params: { id: collection.id } })).body
    await app.visitor().call(getSharedCollection, { params: { shareToken } })
    await ada.call(sendFeedback, { body: { email, message: 'Write to ada@example.test' } })
    await ada.raw(`/api/${email}?token=${link.searchParams.get('token')}`)
    // PostgreSQL's error quotes the whole row, with the address.
    await app.db`alter table users add constraint no_such_bio check (bio <> 'Odd') not valid`
    expect((await ada.call(updateProfile, { body: { bio: 'Odd' } })).status).toBe(500)
    await app.db`alter table users drop constraint no_such_bio`
    expect((await ada.call(getCurrentUser)).status).toBe(200)
    const log = app.logged.join('')

    expect(log).toContain('"route":"/api/auth/magic-link/send"')
    expect(log).toContain('"route":"/api/share/collection/:shareToken"')
    expect(log).toContain('"constraint":"no_such_bio"')
    for (const secret of [
      email,
      link.searchParams.get('token') ?? '',
      mark,
      ada.cookies.get('session') ?? '',
      shareToken,
    ]) {
      expect(secret).not.toBe('')
      expect(log).not.toContain(secret)
    }
  })

  test.each([
    'mailed to ada.b+c@mail.example.test',
    '{"token":"Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFy123"}',
    'GET /share/collection/Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYm12/preview.png',
    '{"req":{"headers":{"cookie":"x"}}}',
    '/sign-in/link?token=short',
  ])('the check finds what must not be logged: %s', (line) => {
    expect(findSecrets(line)).not.toEqual([])
  })

  test.each([
    '{"level":20,"reqId":"req-1a","method":"GET","route":"/api/share/collection/:shareToken","status":200}',
    'at processTicksAndRejectionsOfSomeLongName (node:internal/process/task_queues:105:5)',
    'file:///srv/node_modules/@fastify/rate-limit/index.js',
    'aLongNameOfAFunctionThatHas43LettersButNoMore',
  ])('the check accepts %s', (line) => {
    expect(findSecrets(line)).toEqual([])
  })
})
