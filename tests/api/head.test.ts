import { beforeAll, expect, test } from 'vitest'
import { getCurrentUser, logout } from '../../contract/auth.ts'
import { getSharedCollection } from '../../contract/sharing.ts'
import { CALLS } from '../harness/calls.ts'
import { readContract } from '../harness/readContract.ts'
import { type RawAnswer, request } from '../harness/request.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { tableContents } from '../harness/tableContents.ts'
import { pathOf } from '../harness/visitor.ts'
import { makeWorld, type World } from '../harness/world.ts'

/* calls-10: HEAD answers wherever GET does, with the same status and headers, and changes nothing. */

const app = setUpApp()
const endpoints = (await readContract()).filter(({ method }) => method === 'GET')

let world: World
beforeAll(async () => {
  world = await makeWorld(app)
})

test.each(endpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
  'HEAD %s answers as GET does, and changes nothing',
  async (_, endpoint) => {
    const row = CALLS[`GET ${endpoint.path}`]
    const own = row?.ends === 'session' ? await makeWorld(app) : world
    const path = pathOf(endpoint, await row?.given?.(own))
    const before = await tableContents(app.db)
    const head = await own.owner.raw(path, { method: 'HEAD' })
    expect(await contents()).toEqual(withoutAnswers(before))

    const get = await own.owner.raw(path)
    expect({ ...factsOf(head), text: head.text }).toEqual({ ...factsOf(get), text: '' })
  },
)

test.each(['/health', '/ready', '/live', '/metrics', '/docs', '/docs/json', '/api/nope'])(
  'HEAD %s answers as GET does, also compressed',
  async (path) => {
    const headers = { 'accept-encoding': 'gzip' }
    const head = await request(app.url + path, { method: 'HEAD', headers })
    const get = await request(app.url + path, { headers })

    // The metrics count the first request.
    const [expected, given] = [factsOf(get), factsOf(head)]
    if (path === '/metrics') for (const facts of [expected, given]) delete facts.headers['content-length']
    expect({ ...given, text: head.text }).toEqual({ ...expected, text: '' })
  },
)

test('HEAD answers with the status of an error, too', async () => {
  for (const path of ['/api/auth/user', '/api/microgenres/x/next-song', '/api/share/collection/unknown'])
    expect((await app.visitor().raw(path, { method: 'HEAD' })).status, path).toBe(
      (await app.visitor().raw(path)).status,
    )
})

test('HEAD of a shared collection counts no view, for its owner and for others (sharing-13)', async () => {
  const { owner, collection } = await makeWorld(app)
  const path = pathOf(getSharedCollection, { params: collection })
  for (const who of [owner, app.visitor()])
    expect(await who.raw(path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })

  expect((await owner.raw(path)).body).toMatchObject({ viewCount: 1 })
})

test('HEAD of the way out ends no session (signin-12)', async () => {
  const ada = await app.signIn()
  const { status, headers } = await ada.raw(logout.path, { method: 'HEAD' })

  expect({ status, cookies: headers['set-cookie'] }).toEqual({ status: 302, cookies: undefined })
  expect((await ada.call(getCurrentUser)).status).toBe(200)
})

/** Answers of outside services are cached for all callers. */
const withoutAnswers = ({ provider_cache: _, provider_quotas: __, ...rest }: Record<string, string[]>) => rest

const contents = async () => withoutAnswers(await tableContents(app.db))

/** Without the headers that differ from answer to answer, or belong to the connection. */
function factsOf({ status, headers }: RawAnswer) {
  const kept = Object.entries(headers).filter(([name]) => !PASSING.test(name))
  return { status, headers: Object.fromEntries(kept) }
}

const PASSING =
  /^(date|connection|keep-alive|transfer-encoding|set-cookie|x-request-id|x-ratelimit-.*|retry-after)$/
