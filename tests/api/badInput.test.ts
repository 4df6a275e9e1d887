import { beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { CALLS, type CallContext, send } from '../harness/calls.ts'
import { readContract } from '../harness/readContract.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { makeWorld, type World } from '../harness/world.ts'

/*
 * calls-11: whatever is wrong with a field of whatever call, a 400 names the field in plain English. Each field of each
 * call gets wrong types, no value, values that are too short, too long and too large, and unknown words; everything
 * else in the request is right.
 */

const app = setUpApp({}, { callsPerMinute: Number.MAX_SAFE_INTEGER })
const endpoints = (await readContract()).filter(({ params, query, body }) => params || query || body)

let world: World
beforeAll(async () => {
  world = await makeWorld(app)
})

/** Words of the validator, of JavaScript and of its signs. */
const FOREIGN =
  /invalid (input|option|string|number|key|value|element|format)|expected|received|too (small|big)|unrecogni[sz]ed|undefined|\bnan\b|\bnull\b|boolean|string|array|regex|pattern|[<>|"`]/i

/** Rules about more than the shape of a field have sentences of their own. */
const SENTENCE = /^[A-Z][^:]+\.$|^Missing Information: Please enter both artist and title$/

const MISSING = Symbol('missing')
const LONG = 'x'.repeat(6000)
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
  LONG,
  [],
  [[]],
  ['x'],
  {},
  { x: 1 },
]
const BAD_TEXTS = [MISSING, '', ' ', 'x', '0', '-1', '1.5', '1e-300', '1e300', 'NaN', 'null', LONG]

test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  async (name, endpoint) => {
    const row = CALLS[name]
    const own = row?.ends ? await makeWorld(app) : world
    const works = (await row?.given?.(own)) ?? {}
    let rejected = 0
    for (const [field, given] of variants(endpoint, works)) {
      const { status, body } = await send(own.owner, endpoint, given)
      const { message } = (body ?? {}) as { message?: string }
      if (status !== 400) {
        expect(isAllowed(endpoint, given), `${field}: ${JSON.stringify(given).slice(0, 300)}`).toBe(true)
        continue
      }
      rejected += 1
      if (message === undefined) throw new Error(`A 400 without a message for ${field}.`)
      expect(message).not.toMatch(FOREIGN)
      if (SENTENCE.test(message)) continue
      expect(message, `names ${field}`).toMatch(new RegExp(`^([\\w.]+\\.)?${field}(\\.\\w+)?: [a-z]`))
    }
    // A number or a list is no text, so at least that is rejected.
    if (endpoint.body) expect(rejected).toBeGreaterThan(0)
  },
)

test.each(['[]', '"x"', '1', 'true'])('a body that is %s is no object', async (body) => {
  for (const { method, path } of endpoints.filter(({ body }) => body)) {
    const answer = await world.owner.raw(path.replace(/:\w+/g, '1') + (path.includes('s3') ? '?key=x' : ''), {
      method,
      body,
      headers: { 'content-type': 'application/json' },
    })
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
])('%s %s %j answers the plain words', async (method, path, json, message) => {
  expect(await world.owner.raw(path, { method, json })).toMatchObject({ status: 400, body: { message } })
})

/** The working call with one field of its input changed, and that field's name. */
function* variants(endpoint: Endpoint, works: CallContext): Generator<[field: string, given: CallContext]> {
  // Without a value it is another path.
  for (const name of Object.keys(endpoint.params?.shape ?? {}))
    for (const value of BAD_TEXTS)
      if (typeof value === 'string' && value !== '')
        yield [name, { ...works, params: { ...works.params, [name]: value } }]
  for (const name of Object.keys(endpoint.query?.shape ?? {}))
    for (const value of BAD_TEXTS)
      yield [name, { ...works, query: changed(works.query, name, value) as CallContext['query'] }]
  for (const name of Object.keys(endpoint.body?.shape ?? {})) {
    for (const value of BAD_VALUES) yield [name, { ...works, body: changed(works.body, name, value) }]
    // A list of objects: its first one's fields.
    const list = works.body?.[name]
    const first = Array.isArray(list) ? list[0] : undefined
    if (typeof first !== 'object') continue
    for (const key of Object.keys(first))
      for (const value of BAD_VALUES)
        yield [key, { ...works, body: { ...works.body, [name]: [changed(first, key, value)] } }]
  }
}

function changed(
  values: Record<string, unknown> = {},
  name: string,
  value: unknown,
): Record<string, unknown> {
  const { [name]: _, ...rest } = values
  return value === MISSING ? rest : { ...rest, [name]: value }
}

/** Whether the contract accepts query and body. A malformed id in the path is a 404. */
const isAllowed = ({ query, body }: Endpoint, given: CallContext) =>
  (query?.safeParse(given.query ?? {}).success ?? true) && (body?.safeParse(given.body ?? {}).success ?? true)
