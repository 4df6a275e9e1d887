import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import { makeMicrogenre, rate } from '../factories.ts'
import { type Line, layLine } from '../harness/cutConnection.ts'
import { INSIDE } from '../harness/inside.ts'
import { setUpApp, startApp, type TestApp } from '../harness/setUpApp.ts'

const app = setUpApp()
/** The same database behind a proxy that can cut connections. */
let remote: TestApp
let line: Line
let close = async () => {}

beforeAll(async () => {
  line = await layLine(app.target)
  const started = await startApp(line.target)
  remote = started.app
  close = started.close
})
afterAll(async () => {
  await line.restore()
  await close()
  await line.close()
})

test.each([
  ['GET', '/api/%', undefined],
  ['GET', '/api/%zz/%00', undefined],
  ['GET', '/api/microgenres/%ff/next-song', undefined],
  ['GET', `/api/${'x'.repeat(5000)}`, undefined],
  ['GET', "/api/microgenres/1'%20or%201=1/next-song", undefined],
  ['GET', '/api/users/discover?search=%00', undefined],
  ['GET', '/api/music/search?artist=%00&title=x&songId=1', undefined],
  ['GET', '/api/users/me/stats/daily?tz=%00', undefined],
  ['GET', '/api/users/me/ratings?type[]=banger', undefined],
  ['GET', '/api/users/me/ratings?type=%ff', undefined],
  ['POST', '/api/batch/rate-and-advance', '{'],
  ['POST', '/api/batch/rate-and-advance', '"\\u0000"'],
  ['POST', '/api/contact', '{"email":"a@example.test","message":"nul \\u0000 nul"}'],
  ['PUT', '/api/users/me/profile', '{"bio":"nul \\u0000 nul"}'],
  ['PUT', '/api/users/me/profile', '{"firstName":"\\u0000"}'],
  ['POST', '/api/listening/progress', '{"songId":"1","secondsListened":1e-50,"totalDuration":1e-50}'],
  ['POST', '/api/listening/progress', '{"songId":"1","secondsListened":1e400,"totalDuration":1}'],
  ['DELETE', '/api/users/me', '{"confirmation":"\\u0000"}'],
])('%s %s %s is a 4xx in JSON without internals', async (method, path, body) => {
  const ada = await app.signIn()
  const answer = await ada.raw(path, {
    method,
    body,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
  })

  expect(answer.status).toBeLessThan(500)
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  expect(answer.text).not.toMatch(INSIDE)
  if (answer.status >= 400) expect(answer.body).toEqual({ message: expect.any(String) })
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

test('a server error is a bare 500, and the log has the details', async () => {
  const broken = await app.another()
  const ada = await app.signIn()
  const bob = ada.at(broken.url)
  await bob.call(listRatings)
  await app.db`alter table ratings rename to away`
  const { status, body, text } = await bob.raw(listRatings.path)
  await app.db`alter table away rename to ratings`

  expect({ status, body }).toEqual({
    status: 500,
    body: { message: 'Something went wrong on our side. Please try again.' },
  })
  expect(text).not.toMatch(INSIDE)
  expect(broken.errors.join()).toMatch(/relation .*ratings.* does not exist/)
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
    expect(text).not.toMatch(INSIDE)
  }
  expect((await rate(ada, genre.id, genre.songs[0] ?? '')).status).toBe(503)

  await line.restore()
  await until(async () => (await ada.raw('/health')).status === 200)
  expect((await rate(ada, genre.id, genre.songs[0] ?? '')).status).toBe(200)
  expect((await ada.call(listRatings)).body).toHaveLength(1)
})

test('a rating that waited five seconds for a connection is never stored', async () => {
  const ada = await remote.signIn()
  const genre = await makeMicrogenre(app.db, 30)
  line.freeze()
  // More than the pool has connections, so the last ones wait.
  const answers = await Promise.all(genre.songs.map((song) => rate(ada, genre.id, song)))
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([503])
  await line.restore()
  await until(async () => (await ada.raw('/health')).status === 200)
  // As many calls as connections: anything queued has run before them.
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
  await until(async () => (await ada.raw('/health')).status === 200)
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It did not come back within ten seconds.')
    await wait(100)
  }
}
