import { beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { CALLS, type CallContext, send } from '../harness/calls.ts'
import { makeOwnerFixture, type OwnerFixture } from '../harness/ownerFixture.ts'
import { readContract } from '../harness/readContract.ts'
import { setUpApp } from '../harness/setUpApp.ts'

/*
 * calls-11: whatever is wrong with a field of whatever call, a 400 names the field in plain English. Each field of each
 * call gets wrong types, no value, values that are too short, too long and too large, and unknown words; everything
 * else in the request is right.
 */

const app = setUpApp({}, { callsPerMinute: Number.MAX_SAFE_INTEGER })
const endpoints = (await readContract()).filter(({ params, query, body }) => params || query || body)

let sharedFixture: OwnerFixture
beforeAll(async () => {
  sharedFixture = await makeOwnerFixture(app)
})

/** Words of the validator, of JavaScript and of its signs. */
const DATABASE_WORDS =
  /invalid (input|option|string|number|key|value|element|format)|expected|received|too (small|big)|unrecogni[sz]ed|undefined|\bnan\b|\bnull\b|boolean|string|array|regex|pattern|[<>|"`]/i

/** Rules beyond the shape of a field have their own messages. */
const SENTENCE = /^[A-Z][^:]+\.$|^Missing Information: Please enter both artist and title$/

const MISSING = Symbol('missing')
const LONG_TEXT = 'x'.repeat(6000)
const BAD_VALUES = [
  MISSING,
  null,
  true,
  0,
  -1,
  1.5,
  1e-300,
  1e300,
  '',
  ' ',
  'x',
  LONG_TEXT,
  [],
  [[]],
  ['x'],
  {},
  { x: 1 },
]
const BAD_TEXTS = [MISSING, '', ' ', 'x', '0', '-1', '1.5', '1e-300', '1e300', 'NaN', 'null', LONG_TEXT]

test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  async (name, endpoint) => {
    const row = CALLS[name]
    let fixture = row?.consumes ? await makeOwnerFixture(app) : sharedFixture
    const validInput = (await row?.input?.(fixture)) ?? {}
    let rejected = 0
    for (const [field, input] of variants(endpoint, validInput)) {
      const { status, body } = await send(fixture.owner, endpoint, input)
      const { message } = (body ?? {}) as { message?: string }
      if (status !== 400) {
        expect(isAllowed(endpoint, input), `${field}: ${JSON.stringify(input).slice(0, 300)}`).toBe(true)
        // The call that signs out everywhere has ended the session.
        if (row?.consumes === 'session' && endpoint.query) fixture = await makeOwnerFixture(app)
        continue
      }
      rejected += 1
      if (message === undefined) throw new Error(`A 400 without a message for ${field}.`)
      expect(message).not.toMatch(DATABASE_WORDS)
      if (SENTENCE.test(message)) continue
      expect(message, `names ${field}`).toMatch(new RegExp(`^([\\w.]+\\.)?${field}(\\.\\w+)?: [a-z]`))
    }
    // At least a number or a list in place of text is rejected.
    if (endpoint.body) expect(rejected).toBeGreaterThan(0)
  },
)

test.each(['[]', '"x"', '1', 'true'])('the body %s is rejected, because it is no object', async (body) => {
  for (const { method, path } of endpoints.filter(({ body }) => body)) {
    const answer = await sharedFixture.owner.raw(
      path.replace(/:\w+/g, '1') + (path.includes('s3') ? '?key=x' : ''),
      {
        method,
        body,
        headers: { 'content-type': 'application/json' },
      },
    )
    expect([path, answer.status, answer.body]).toEqual([
      path,
      400,
      { message: 'The body must be a JSON object.' },
    ])
  }
})

test.each([
  ['GET', '/api/microgenres/suggestions?limit=21', undefined, 'limit: must be at most 20'],
  ['GET', '/api/microgenres/suggestions?limit=0', undefined, 'limit: must be at least 1'],
  ['GET', '/api/microgenres/suggestions?limit=x', undefined, 'limit: must be a number'],
  ['GET', '/api/microgenres/suggestions?limit=1.5', undefined, 'limit: must be a whole number'],
  ['GET', '/api/users/me/ratings?type=x', undefined, 'type: must be banger or bust'],
  ['GET', `/api/users/me/stats/daily?tz=${'x'.repeat(65)}`, undefined, 'tz: must have at most 64 characters'],
  ['GET', '/api/users/discover?search=a&search=b', undefined, 'search: must be text'],
  ['POST', '/api/contact', { message: 'Hi' }, 'email: is missing'],
  ['POST', '/api/contact', { email: 'a@b.example', message: 'x'.repeat(5001) }, 'message: is too long'],
  ['POST', '/api/youtube/find-replacement', { artist: 'x'.repeat(201), title: 'x' }, 'artist: is too long'],
  ['PUT', '/api/users/me/profile', { bio: 'x'.repeat(281) }, 'bio: must have at most 280 characters'],
  [
    'PUT',
    '/api/users/me/profile',
    { firstName: 'x'.repeat(61) },
    'firstName: must have at most 60 characters',
  ],
  ['POST', '/api/contact', { email: 'ada', message: 'Hi' }, 'email: must be an e-mail address'],
  ['POST', '/api/collections', { name: 'A', isPublic: 'yes' }, 'isPublic: must be true or false'],
  ['POST', '/api/playback/reports', { reports: {} }, 'reports: must be a list'],
  ['POST', '/api/playback/reports', { reports: ['x'] }, 'reports.0: must be an object'],
  [
    'POST',
    '/api/users/me/preferences',
    { energyPreference: 'x' },
    'energyPreference: must be slow, fast, weird or mixed',
  ],
])('%s %s %j answers a readable message', async (method, path, json, message) => {
  expect(await sharedFixture.owner.raw(path, { method, json })).toMatchObject({
    status: 400,
    body: { message },
  })
})

/** The working call with one field of its input changed, and that field's name. */
function* variants(
  endpoint: Endpoint,
  validInput: CallContext,
): Generator<[field: string, given: CallContext]> {
  // Without a value it is another path.
  for (const name of Object.keys(endpoint.params?.shape ?? {}))
    for (const value of BAD_TEXTS)
      if (typeof value === 'string' && value !== '')
        yield [name, { ...validInput, params: { ...validInput.params, [name]: value } }]
  for (const name of Object.keys(endpoint.query?.shape ?? {}))
    for (const value of BAD_TEXTS)
      yield [name, { ...validInput, query: withField(validInput.query, name, value) as CallContext['query'] }]
  for (const name of Object.keys(endpoint.body?.shape ?? {})) {
    for (const value of BAD_VALUES)
      yield [name, { ...validInput, body: withField(validInput.body, name, value) }]
    // A list of objects: its first one's fields.
    const list = validInput.body?.[name]
    const first = Array.isArray(list) ? list[0] : undefined
    if (typeof first !== 'object') continue
    for (const key of Object.keys(first))
      for (const value of BAD_VALUES)
        yield [key, { ...validInput, body: { ...validInput.body, [name]: [withField(first, key, value)] } }]
  }
}

function withField(
  values: Record<string, unknown> = {},
  name: string,
  value: unknown,
): Record<string, unknown> {
  const { [name]: _, ...rest } = values
  return value === MISSING ? rest : { ...rest, [name]: value }
}

/** Whether the contract accepts query and body. A malformed id in the path is a 404. */
const isAllowed = ({ query, body }: Endpoint, input: CallContext) =>
  (query?.safeParse(input.query ?? {}).success ?? true) && (body?.safeParse(input.body ?? {}).success ?? true)
