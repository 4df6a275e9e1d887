import { expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { allRoutes } from '../../server/app.ts'
import { Sessions } from '../../server/auth/sessions.ts'
import { RatingQueue } from '../../server/discovery/RatingQueue.ts'
import { readEnv } from '../../server/env.ts'
import { PictureMaker } from '../../server/sharing/pictures/PictureMaker.ts'
import { readContract } from '../harness/readContract.ts'
import { setUpApp } from '../harness/setUpApp.ts'

const app = setUpApp()

/** Every call of calls-8, with browser navigations and the calls of storage companions (uploads-2). */
const SPECIFIED = `
GET /api/auth/user
GET /api/users/{id}/profile
GET /api/users/{id}/follow-status
GET /api/users/me/stats
GET /api/users/{id}/stats
GET /api/users/me/stats/daily
PUT /api/users/me/profile
POST /api/users/{id}/follow
DELETE /api/users/{id}/follow
PUT /api/profile-photo
POST /api/profile-photo/upload
GET /api/users/discover
GET /api/users/me/ratings
GET /api/microgenres
GET /api/microgenres/stats
GET /api/microgenres/suggestions
DELETE /api/microgenres/{id}/progress
GET /api/microgenres/{id}/next-song
POST /api/batch/rate-and-advance
POST /api/users/me/achievements/check
GET /api/users/me/achievements
POST /api/listening/progress
GET /api/music/search
POST /api/contact
GET /api/community/stats
GET /api/community/trending
POST /api/collections
POST /api/collections/{id}/items
POST /api/collections/{id}/share
GET /api/questionnaire/recommendations
GET /api/users/me/preferences
POST /api/users/me/preferences
POST /api/auth/magic-link/send
GET /api/songs/count
POST /api/verify-youtube-batch
GET /api/test/auth-status
POST /api/test/user-creation
GET /api/spotify/search
POST /api/youtube/find-replacement
GET /api/verify-youtube/{videoId}
GET /api/debug/test-preview-availability
GET /api/share/collection/{shareToken}
GET /api/share/achievement/{shareToken}
GET /api/logout
GET /api/auth/google
GET /api/auth/facebook
GET /api/login
GET /api/callback
POST /companion/s3/multipart
GET /companion/s3/multipart/{uploadId}
GET /companion/s3/multipart/{uploadId}/{partNumber}
POST /companion/s3/multipart/{uploadId}/complete
DELETE /companion/s3/multipart/{uploadId}
GET /companion/s3/params
GET /companion/s3/sts
`
  .trim()
  .split('\n')

const UNKNOWN_CALL = { message: 'There is no such call.' }

const endpoints = await readContract()

test.each(SPECIFIED)('%s has a handler', async (call) => {
  expect(await answerTo(call)).not.toMatchObject({ status: 404, body: UNKNOWN_CALL })
})

test('every endpoint of the contract is registered, and no other', () => {
  const registered = allRoutes(
    new Sessions(app.db),
    new RatingQueue(app.db, readEnv({})),
    new PictureMaker(),
  ).map((route) => route.endpoint)

  expect(endpoints.length).toBeGreaterThan(10)
  expect(registered.map(nameOf).sort()).toEqual(endpoints.map(nameOf).sort())
  for (const endpoint of registered) expect(endpoints).toContain(endpoint)
})

test('no two endpoints share a method and a path', () => {
  expect(new Set(endpoints.map(nameOf)).size).toBe(endpoints.length)
})

test.each(
  endpoints
    .filter((endpoint) => endpoint.access !== 'public' && endpoint.access !== 'signed-address')
    .map((endpoint) => [nameOf(endpoint), endpoint] as const),
)('%s answers 401 to a visitor', async (_, endpoint) => {
  const { status, headers, body } = await app.visitor().raw(fill(endpoint.path), { method: endpoint.method })

  expect({ status, body }).toEqual({ status: 401, body: { message: 'Please sign in.' } })
  expect(headers['content-type']).toMatch(/^application\/json/)
})

test('only sign-in, sign-out, shared pages, covers, photos, messages to the operator and the long tail are public', () => {
  const open = endpoints.filter((endpoint) => endpoint.access === 'public').map(nameOf)

  expect(open).toContain('POST /api/auth/magic-link/send')
  expect(
    open.filter((call) => !/ \/(api\/(auth|share)|sign-in|share|covers|photos)\//.test(call)).sort(),
  ).toEqual(
    [
      'GET /api/login',
      'GET /api/logout',
      'GET /api/callback',
      'POST /api/contact/operator',
      'GET /api/community/long-tail',
    ]
      .filter((call) => open.includes(call))
      .sort(),
  )
})

test.each(
  endpoints.filter((endpoint) => endpoint.response).map((endpoint) => [nameOf(endpoint), endpoint] as const),
)('%s always answers JSON that caches must not store', async (_, endpoint) => {
  const ada = await app.signIn()
  const { headers, body } = await ada.raw(fill(endpoint.path), { method: endpoint.method })

  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toBeDefined()
})

test.each(['/api', '/api/', '/api/nope', '/api/microgenres/1/nope', '/companion/nope'])(
  'the unknown path GET %s answers JSON',
  async (path) => {
    const { status, headers, body } = await app.visitor().raw(path)

    expect({ status, body }).toEqual({ status: 404, body: UNKNOWN_CALL })
    expect(headers['content-type']).toMatch(/^application\/json/)
  },
)

test('an existing path with another method is unknown too', async () => {
  const { status, body } = await app.visitor().raw('/api/auth/user', { method: 'PUT', json: {} })

  expect({ status, body }).toEqual({ status: 404, body: UNKNOWN_CALL })
})

async function answerTo(call: string) {
  const [method = '', path = ''] = call.split(' ')
  return app.visitor().raw(fill(path), { method })
}

/** With an id that does not exist. */
function fill(path: string): string {
  return path.replace(/\{\w+\}|:\w+/g, '999999999')
}

function nameOf(endpoint: Endpoint): string {
  return `${endpoint.method} ${endpoint.path}`
}
