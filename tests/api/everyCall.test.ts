import { beforeAll, expect, test } from 'vitest'
import { SCOPES } from '../../contract/apiTokens.ts'
import { getCurrentUser } from '../../contract/auth.ts'
import { type Endpoint, LISTENER_HEADER } from '../../contract/endpoint.ts'
import { allRoutes } from '../../server/app.ts'
import { Sessions } from '../../server/auth/sessions.ts'
import { RatingQueue } from '../../server/discovery/RatingQueue.ts'
import { readEnv } from '../../server/env.ts'
import { NO_FRAMES } from '../../server/http/pageExtras.ts'
import { ProgressQueue } from '../../server/playback/ProgressQueue.ts'
import { createLog } from '../../server/process/log.ts'
import { PictureMaker } from '../../server/sharing/pictures/PictureMaker.ts'
import { CALLS, type Call, type CallContext, SIGNED_URL_FIELDS, send } from '../harness/calls.ts'
import { warmUpPictures } from '../harness/multipart.ts'
import { makeOwnerFixture, type OwnerFixture, PRIVATE_BIO } from '../harness/ownerFixture.ts'
import { readContract } from '../harness/readContract.ts'
import { type RawAnswer, request } from '../harness/request.ts'
import { PLAIN_PRODUCTION, setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { contentsOf, tableContents } from '../harness/tableContents.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'
import { startOutside } from '../stand-ins/outside.ts'

/*
 * Every endpoint of the contract, called by everybody with one fixture (calls-5, calls-10, people-2, people-6,
 * sharing-6, signin-12, signin-28). The contract's `access` and `owns` say who may; harness/calls.ts says how to make each call.
 */

const outside = setUpService(startOutside)
const app = setUpApp(() => outside.env, { callsPerMinute: Number.MAX_SAFE_INTEGER })
const endpoints = await readContract()
/** Two servers in production on the same database: one has an operator. */
const picky = setUpService(() =>
  app.another({ ...PLAIN_PRODUCTION, DIAGNOSTIC_EMAILS: 'operator@example.test' }),
)
const productionApp = setUpService(() => app.another(PLAIN_PRODUCTION))
const other = setUpService(() => app.signIn())
const operator = setUpService(() => app.signIn('operator@example.test'))
let sharedFixture: OwnerFixture
beforeAll(async () => {
  sharedFixture = await makeOwnerFixture(app)
  await warmUpPictures(sharedFixture.owner)
})

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const isOpen = ({ access }: Endpoint) => access === 'public' || access === 'signed-address'
const isOfOperators = ({ access }: Endpoint) => access === 'diagnostics' || access === 'steward'

test('calls-8: every endpoint has a row in tests/harness/calls.ts and a route, and no other has', () => {
  const env = readEnv({})
  const routes = allRoutes(
    env,
    new Sessions(app.db),
    new RatingQueue(app.db, env, createLog('silent', process.stdout)),
    new ProgressQueue(app.db),
    new PictureMaker(),
    {
      styles: '',
      frames: NO_FRAMES,
    },
  )
  const names = endpoints.map(nameOf).sort()

  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(CALLS).sort()).toEqual(names)
  expect(routes.map(({ endpoint }) => nameOf(endpoint)).sort()).toEqual(names)
})

test('only sign-in, sign-out, shared pages, what visitors hear, covers, photos, messages to the operator and the long tail are public', () => {
  const others = endpoints
    .filter(({ access }) => access === 'public')
    .map(nameOf)
    .filter((call) => !/ \/(api\/(auth|share|visitors)|sign-in|share|covers|photos)\//.test(call))

  expect(others.sort()).toEqual([
    'GET /api/callback',
    'GET /api/community/long-tail',
    'GET /api/login',
    'GET /api/logout',
    'GET /microgenres/:key/preview.png',
    'GET /robots.txt',
    'GET /sitemap.xml',
    'POST /api/contact/operator',
  ])
})

test('signin-28: a token opens what its scope names, and nothing else', () => {
  const opened = SCOPES.map((scope) => endpoints.filter((each) => each.scope === scope).map(nameOf))

  expect(opened).toEqual([
    [
      'GET /api/microgenres',
      'GET /api/users/me/ratings',
      'GET /api/users/me/ratings/changes',
      'GET /api/users/me/stats',
    ],
    [
      'GET /api/microgenres/:id/next-song',
      'POST /api/batch/rate-and-advance',
      'POST /api/batch/not-now',
      'DELETE /api/batch/not-now/:songId',
      'DELETE /api/users/me/ratings/:songId',
    ],
    [
      'GET /api/users/me/bangers/export/counts',
      'GET /api/users/me/bangers/export',
      'GET /api/users/me/export',
    ],
  ])
})

test.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s',
  async (name, endpoint) => {
    const call = CALLS[name] ?? {}
    const expected = expectedStatuses(endpoint, call)
    const fixture = call.consumes ? await makeOwnerFixture(app) : sharedFixture
    const makeInput = async () => (await call.input?.(fixture)) ?? {}
    const { owner } = fixture

    // Refused calls and HEAD (calls-10) change nothing.
    const input = await makeInput()
    const before = await contents()
    const asVisitor = isOpen(endpoint) ? null : await send(app.visitor(), endpoint, input)
    if (asVisitor) {
      expect(asVisitor).toMatchObject(refusal(401, 'Please sign in.'))
      expect(asVisitor.headers['content-type']).toMatch(/^application\/json/)
    }
    if (expected.other >= 400) await expectOther(other)
    if (endpoint.method !== 'GET' && endpoint.access !== 'signed-address')
      for (const meant of [other.id, '', 'x', `${owner.id}, ${owner.id}`]) {
        const headers = { [LISTENER_HEADER]: meant }
        expect((await send(owner, endpoint, input, { headers })).status, `meant for ${meant}`).toBe(409)
      }
    await expectCrossSite(owner, endpoint, input)
    // A token decides, whatever the cookie beside it may do.
    for (const scope of SCOPES.filter((each) => each !== endpoint.scope))
      expect(
        await send(owner, endpoint, input, { headers: fixture.bearers[scope] }),
        `with ${scope}`,
      ).toMatchObject(
        refusal(
          403,
          endpoint.scope
            ? `This call needs a token with the scope ‘${endpoint.scope}’.`
            : 'No token opens this call.',
        ),
      )
    if (isOfOperators(endpoint))
      for (const [who, { url }] of [
        [owner, picky],
        [owner, productionApp],
        [operator, productionApp],
      ] as const)
        expect((await send(who.at(url), endpoint, input)).status, 'closed, or not an operator').toBe(403)
    if (endpoint.access === 'signed-address')
      for (const each of alteredAddresses(input))
        expect([each, (await send(owner, endpoint, each)).status]).toEqual([each, 403])
    const head = endpoint.method === 'GET' ? await send(owner, endpoint, input, { method: 'HEAD' }) : null
    expect(await contents()).toEqual(before)

    if (head) {
      const get = await send(owner, endpoint, input)
      expect({ ...factsOf(head), text: head.text }).toEqual({ ...factsOf(get), text: '' })
    }

    // Allowed calls do not concern the owner, and no response reveals who that is.
    if (isOpen(endpoint)) await expectStranger(app.visitor(), expected.visitor)
    if (expected.other < 400) await expectStranger(await app.signIn(), expected.other)
    if (isOfOperators(endpoint))
      expect((await send(operator.at(picky.url), endpoint, await makeInput())).status).toBe(200)

    if (endpoint.scope) {
      const headers = fixture.bearers[endpoint.scope]
      const asProgram = await send(app.visitor(), endpoint, await makeInput(), { headers })
      expect(asProgram.status, `by token: ${asProgram.text.slice(0, 200)}`).toBe(expected.owner)
    }
    const asOwner = await send(owner, endpoint, await makeInput())
    expect(asOwner.status, `as the owner: ${asOwner.text.slice(0, 200)}`).toBe(expected.owner)
    if (endpoint.response) {
      expect(asOwner.headers['content-type']).toMatch(/^application\/json/)
      expect(asOwner.headers['cache-control']).toBe('no-store')
    }

    async function expectOther(who: Visitor) {
      const { status, text } = await send(who, endpoint, input)
      expect(status, 'as another listener').toBe(expected.other)
      expectNothingPrivate(text, fixture)
    }

    async function expectStranger(who: Visitor, status: number) {
      const otherInput = await makeInput()
      const before = await contentsOf(app.db, owner.id)
      const answer = await send(who, endpoint, otherInput)
      expect(answer.status, 'as somebody else').toBe(status)
      if (endpoint.access !== 'signed-address') expect(await contentsOf(app.db, owner.id)).toEqual(before)
      expectNothingPrivate(answer.text, fixture)
    }
  },
)

test.each(['/health', '/ready', '/live', '/metrics', '/docs', '/docs/json', '/api/nope'])(
  'HEAD %s answers as GET does, also compressed',
  async (path) => {
    const headers = { 'accept-encoding': 'gzip' }
    const head = await request(app.url + path, { method: 'HEAD', headers })
    const get = await request(app.url + path, { headers })

    // The metrics count the first request.
    const [expected, actual] = [factsOf(get), factsOf(head)]
    if (path === '/metrics') for (const facts of [expected, actual]) delete facts.headers['content-length']
    expect({ ...actual, text: head.text }).toEqual({ ...expected, text: '' })
  },
)

test.each([
  'GET /api',
  'GET /api/',
  'GET /api/nope',
  'GET /api/microgenres/1/nope',
  'GET /companion/nope',
  'PUT /api/auth/user',
])('the unknown call %s answers JSON', async (call) => {
  const [method = '', path = ''] = call.split(' ')
  const { status, headers, body } = await app.visitor().raw(path, { method })

  expect({ status, body }).toEqual(refusal(404, 'There is no such call.'))
  expect(headers['content-type']).toMatch(/^application\/json/)
})

test('HEAD answers with the status of an error, and ends no session', async () => {
  for (const path of ['/api/auth/user', '/api/microgenres/x/next-song', '/api/share/collection/unknown'])
    expect((await app.visitor().raw(path, { method: 'HEAD' })).status, path).toBe(
      (await app.visitor().raw(path)).status,
    )
  const { status, headers } = await other.raw('/api/logout', { method: 'HEAD' })
  expect({ status, cookies: headers['set-cookie'] }).toEqual({ status: 302, cookies: undefined })
  expect((await other.call(getCurrentUser)).status).toBe(200)
})

/** The status by the contract's rules, else by the row. */
function expectedStatuses(
  endpoint: Endpoint,
  { ownerStatus: owner = 200, otherStatus: other = 200, visitorStatus: visitor }: Call,
) {
  if (isOpen(endpoint)) expect(visitor, 'a public call names its status for visitors').toBeDefined()
  else expect(visitor, 'a call that needs a session answers visitors 401').toBeUndefined()
  if (endpoint.owns) expect(other, 'another listener’s item answers like an unknown one').toBe(404)
  return { owner, other, visitor: visitor ?? 401 }
}

/** CSRF: a page of another site can neither use the session nor send JSON through a form. */
async function expectCrossSite(owner: Visitor, endpoint: Endpoint, makeInput: CallContext): Promise<void> {
  if (endpoint.method !== 'GET')
    for (const origin of OTHER_SITES) {
      const headers = { origin, 'content-type': 'text/plain' }
      expect([origin, (await send(owner, endpoint, makeInput, { headers })).status]).toEqual([origin, 403])
    }
  if (endpoint.body)
    for (const type of FORM_TYPES) {
      const headers = { 'content-type': type }
      expect([type, (await send(owner, endpoint, makeInput, { headers })).status]).toEqual([type, 415])
    }
}

const OTHER_SITES = [
  'https://evil.example',
  'null',
  'not an address',
  'http://localhost',
  'http://localhost:1',
  'http://localhost.evil.example',
]
const FORM_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
]

/** The signed address with one part altered (uploads-11). */
function alteredAddresses(makeInput: CallContext): CallContext[] {
  const alter = (text = '') => (text.endsWith('1') ? `${text.slice(0, -1)}2` : `${text.slice(0, -1)}1`)
  return [
    ...SIGNED_URL_FIELDS.map((part) => ({
      ...makeInput,
      query: { ...makeInput.query, [part]: alter(makeInput.query?.[part]) },
    })),
    ...Object.keys(makeInput.params ?? {}).map((param) => ({
      ...makeInput,
      params: { ...makeInput.params, [param]: alter(makeInput.params?.[param]) },
    })),
    { ...makeInput, query: {} },
  ]
}

function expectNothingPrivate(text: string, { owner }: OwnerFixture): void {
  expect(text).not.toContain(owner.email)
  expect(text).not.toContain(PRIVATE_BIO)
}

/** Answers of outside services are cached for all callers. */
async function contents() {
  const { provider_cache: _, provider_quotas: __, ...rest } = await tableContents(app.db)
  return rest
}

/** Without headers that differ between responses or belong to the connection. */
function factsOf({ status, headers }: RawAnswer) {
  const stableHeaders = Object.entries(headers).filter(([name]) => !VOLATILE_HEADERS.test(name))
  return { status, headers: Object.fromEntries(stableHeaders) }
}

const VOLATILE_HEADERS =
  /^(date|connection|keep-alive|transfer-encoding|set-cookie|x-request-id|x-ratelimit-.*|retry-after)$/
