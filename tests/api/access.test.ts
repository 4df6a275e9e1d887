import { beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { CALLS, type Call, type Given, SIGNED } from '../harness/calls.ts'
import { readContract } from '../harness/readContract.ts'
import { setUpApp, type TestApp } from '../harness/setUpApp.ts'
import { contentsOf, tableContents } from '../harness/tableContents.ts'
import { pathOf, type Visitor } from '../harness/visitor.ts'
import { warmUpPictures } from '../harness/warmUpPictures.ts'
import { makeWorld, PRIVATE_BIO, type World } from '../harness/world.ts'
import { type Outside, startOutside } from '../stand-ins/outside.ts'

/*
 * calls-5, people-6, sharing-6, people-2: calls every endpoint of the contract as a visitor, as another listener
 * and as the owner. The contract's `access` and `owns` say who may; harness/calls.ts says how to make each call.
 */

let outside: Outside
beforeAll(async () => {
  outside = await startOutside()
  return () => outside.close()
})
const app = setUpApp(() => outside.env)
const endpoints = await readContract()
let other: Visitor
/** The target of calls that are rejected, so it never changes. */
let lasting: World
/** Two servers in production on the same database: one has an operator. */
let picky: TestApp
let closed: TestApp

beforeAll(async () => {
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'http://localhost:1',
    SESSION_SECRET: 's'.repeat(32),
  }
  picky = await app.another({ ...production, DIAGNOSTIC_EMAILS: 'operator@example.test' })
  closed = await app.another(production)
  other = await app.signIn()
  lasting = await makeWorld(app)
  await warmUpPictures(lasting.owner)
})

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const named = (some: Endpoint[]) => some.map((endpoint) => [nameOf(endpoint), endpoint] as const)

test('every endpoint has a row in tests/harness/calls.ts, and every row has an endpoint', () => {
  expect(Object.keys(CALLS).sort()).toEqual(endpoints.map(nameOf).sort())
})

test.each(named(endpoints))('%s', async (name, endpoint) => {
  const call = CALLS[name] ?? {}
  const expected = expectedStatuses(endpoint, call)
  const world = await makeWorld(app)
  const given = async () => (await call.given?.(world)) ?? {}

  const asVisitor = await watch(() => tableContents(app.db), app.visitor(), endpoint, await given())
  expect(asVisitor.status, 'as a visitor').toBe(expected.visitor)
  if (asVisitor.status >= 400) expect(asVisitor.after, 'after a visitor').toEqual(asVisitor.before)

  const refused = expected.other >= 400
  const contents = () => (refused ? tableContents(app.db) : contentsOf(app.db, world.owner.id))
  const mayChange = endpoint.access === 'signed-address'
  const asOther = await watch(contents, refused ? other : await app.signIn(), endpoint, await given())
  expect(asOther.status, 'as another listener').toBe(expected.other)
  if (!mayChange) expect(asOther.after, 'after another listener').toEqual(asOther.before)

  for (const { text } of [asVisitor, asOther]) {
    expect(text).not.toContain(world.owner.email)
    expect(text).not.toContain(PRIVATE_BIO)
  }

  const asOwner = await watch(async () => null, world.owner, endpoint, await given())
  expect(asOwner.status, `as the owner: ${asOwner.text.slice(0, 200)}`).toBe(expected.owner)
})

test.each(named(endpoints.filter(({ method }) => method !== 'GET')))(
  "CSRF: %s from another site's page is rejected and changes nothing (signin-12)",
  async (name, endpoint) => {
    const given = (await CALLS[name]?.given?.(lasting)) ?? {}
    const before = await tableContents(app.db)
    for (const origin of ['https://evil.example', 'null', `${app.url}.evil.example`]) {
      const headers = { origin, 'content-type': 'text/plain' }
      const { status } = await send(lasting.owner, endpoint, given, headers)
      expect([origin, status]).toEqual([origin, 403])
    }
    expect(await tableContents(app.db)).toEqual(before)
  },
)

test.each(named(endpoints.filter(({ body }) => body)))(
  'CSRF: %s accepts only JSON, which a form on another site cannot send (signin-12)',
  async (name, endpoint) => {
    const given = (await CALLS[name]?.given?.(lasting)) ?? {}
    const before = await tableContents(app.db)
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
    ]) {
      const { status } = await send(lasting.owner, endpoint, given, { 'content-type': type })
      expect([type, status]).toEqual([type, 415])
    }
    expect(await tableContents(app.db)).toEqual(before)
  },
)

test.each(named(endpoints.filter(({ access }) => access === 'diagnostics' || access === 'steward')))(
  '%s is limited to the operators in DIAGNOSTIC_EMAILS, and closed without them (diagnostics-1, desk-10)',
  async (name, endpoint) => {
    const given = (await CALLS[name]?.given?.(lasting)) ?? {}
    const call = (who: Visitor, { url }: { url: string }) => send(who.at(url), endpoint, given)
    const operator = await app.signIn('operator@example.test')
    const before = await tableContents(app.db)

    expect((await call(lasting.owner, picky)).status).toBe(403)
    expect((await call(lasting.owner, closed)).status).toBe(403)
    expect((await call(operator, closed)).status).toBe(403)
    expect(await tableContents(app.db)).toEqual(before)
    expect((await call(operator, picky)).status).toBe(200)
  },
)

test.each(named(endpoints.filter(({ access }) => access === 'signed-address')))(
  '%s rejects a signed address with one altered part, and changes nothing (uploads-11)',
  async (name, endpoint) => {
    const given = (await CALLS[name]?.given?.(lasting)) ?? {}
    const alter = (text = '') => (text.endsWith('1') ? `${text.slice(0, -1)}2` : `${text.slice(0, -1)}1`)
    const altered: Given[] = [
      ...SIGNED.map((part) => ({ ...given, query: { ...given.query, [part]: alter(given.query?.[part]) } })),
      ...Object.keys(given.params ?? {}).map((param) => ({
        ...given,
        params: { ...given.params, [param]: alter(given.params?.[param]) },
      })),
      { ...given, query: {} },
    ]
    const before = await tableContents(app.db)
    for (const each of altered)
      expect([each, (await send(lasting.owner, endpoint, each)).status]).toEqual([each, 403])
    expect(await tableContents(app.db)).toEqual(before)
  },
)

/** The contract's rules; where they leave a status open, the row's. */
function expectedStatuses({ access, owns }: Endpoint, { owner = 200, other = 200, visitor }: Call) {
  const open = access === 'public' || access === 'signed-address'
  if (open) expect(visitor, 'a public call names its status for visitors').toBeDefined()
  else expect(visitor, 'a call that needs a session answers visitors 401').toBeUndefined()
  if (owns) expect(other, 'another listener’s item answers like an unknown one').toBe(404)
  return { owner, other, visitor: visitor ?? 401 }
}

/** Makes the call and reads the contents before and after it. */
async function watch<T>(contents: () => Promise<T>, caller: Visitor, endpoint: Endpoint, given: Given) {
  const before = await contents()
  const { status, text } = await send(caller, endpoint, given)
  return { status, text, before, after: await contents() }
}

function send(
  caller: Visitor,
  endpoint: Endpoint,
  { params, query, body, bytes }: Given,
  headers: Record<string, string> = {},
) {
  return caller.raw(pathOf(endpoint, { params, query } as Parameters<typeof pathOf>[1]), {
    method: endpoint.method,
    ...(endpoint.body ? { json: body ?? {} } : { body: bytes }),
    headers,
  })
}
