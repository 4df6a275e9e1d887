import fc from 'fast-check'
import type { Endpoint, Method } from '../../contract/endpoint.ts'
import { anyText, arbitraryInput } from './arbitraryInput.ts'
import type { Call, CallContext } from './calls.ts'

/** A plan of a request. A fixture supplies ids, tokens and a cookie when it is sent. */
export interface Plan {
  /** The endpoint whose valid call is changed. */
  endpoint: Endpoint
  caller: 'listener' | 'visitor' | 'forger'
  /** Chooses the fixture. */
  turn: number
  query: Record<string, unknown>
  body: Record<string, unknown>
  /** The error built into it; null for a valid request. */
  mutation: Mutation | null
}

/** Distinguishes generated requests from those that create fixtures. */
export const USER_AGENT = 'made-up'

/** One error in a request. */
export type Mutation =
  | { kind: 'drop' | 'retype' | 'add'; where: 'query' | 'body'; name: string; value: unknown }
  | { kind: 'param'; value: string }
  | { kind: 'rawBody'; value: string }
  | { kind: 'rawQuery'; value: string }
  | { kind: 'path'; value: string }
  | { kind: 'method'; value: string }
  | { kind: 'header'; name: string; value: string }

/** A request as it is sent. */
export interface PreparedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** Requests to any endpoint: half of them valid, half with one error. */
export function anyRequest(endpoints: readonly Endpoint[], calls: Record<string, Call>): fc.Arbitrary<Plan> {
  const plans = endpoints.map((endpoint) => {
    const names = [...namesOf(endpoint.query), ...namesOf(endpoint.body)]
    return {
      weight: calls[`${endpoint.method} ${endpoint.path}`]?.isSlow ? 1 : 8,
      arbitrary: fc.record({
        endpoint: fc.constant(endpoint),
        caller: fc.oneof(
          { weight: 8, arbitrary: fc.constant('listener' as const) },
          { weight: 1, arbitrary: fc.constant('visitor' as const) },
          { weight: 1, arbitrary: fc.constant('forger' as const) },
        ),
        turn: fc.nat(100),
        query: endpoint.query ? arbitraryInput(endpoint.query) : fc.constant({}),
        body: endpoint.body ? arbitraryInput(endpoint.body) : fc.constant({}),
        mutation: fc.option(anyMutation(names), { freq: 1 }),
      }),
    }
  })
  return fc.oneof(...plans)
}

const namesOf = (shape: Endpoint['body']) => Object.keys(shape?.shape ?? {})

function anyMutation(names: string[]): fc.Arbitrary<Mutation> {
  const where = fc.constantFrom('query' as const, 'body' as const)
  const name = fc.constantFrom(...names, 'userId', 'id', '__proto__', 'constructor', '')
  const value = fc.oneof(anyText, fc.jsonValue({ maxDepth: 2 }), fc.double(), fc.constant(null))
  return fc.oneof(
    fc.record({
      kind: fc.constantFrom('drop' as const, 'retype' as const, 'add' as const),
      where,
      name,
      value,
    }),
    fc.record({ kind: fc.constant('param' as const), value: anyText }),
    fc.record({ kind: fc.constant('rawBody' as const), value: fc.oneof(anyText, brokenJson) }),
    fc.record({ kind: fc.constant('rawQuery' as const), value: fc.oneof(anyText, fc.webQueryParameters()) }),
    fc.record({ kind: fc.constant('path' as const), value: fc.oneof(anyText, fc.webPath()) }),
    fc.record({ kind: fc.constant('method' as const), value: fc.constantFrom(...OTHER_METHODS) }),
    fc.record({
      kind: fc.constant('header' as const),
      name: fc.constantFrom(...HEADERS),
      value: fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom(...HEADER_VALUES)),
    }),
  )
}

/** Makes the request of a plan from a working call, with the plan's own values and its error. */
export function writeRequest(
  { endpoint, query, body, mutation }: Plan,
  input: CallContext,
  { fixedFields: fixed = [] }: Call,
  { cookie, canary }: { cookie: string; canary: string },
): PreparedRequest {
  const own = (values: object) => Object.entries(values).filter(([name]) => !fixed.includes(name))
  const parts = {
    params: Object.entries(input.params ?? {}),
    query: Object.entries({ ...input.query, ...Object.fromEntries(own(query)) }),
    body: Object.entries({ ...input.body, ...Object.fromEntries(own(body)) }),
  }
  if (mutation && 'where' in mutation) parts[mutation.where] = mutateEntries(parts[mutation.where], mutation)
  const params = Object.fromEntries(parts.params)
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(readable(mutation?.kind === 'param' ? mutation.value : (params[name] ?? ''))),
  )
  const search = new URLSearchParams(parts.query.map(([name, value]) => [name, asText(value)])).toString()
  const request: PreparedRequest = {
    method: endpoint.method,
    path: search ? `${path}?${search}` : path,
    headers: {
      'user-agent': USER_AGENT,
      ...(cookie ? { cookie } : {}),
      ...(endpoint.body ? { 'content-type': 'application/json' } : {}),
    },
    // From entries, because a field may be called __proto__.
    body: endpoint.body ? JSON.stringify(Object.fromEntries(parts.body)) : input.bytes,
  }
  return withCanary(mutation ? mutated(request, path, mutation) : request, canary)
}

function mutateEntries(
  entries: [string, unknown][],
  { kind, name, value }: Extract<Mutation, { where: string }>,
): [string, unknown][] {
  const rest = entries.filter(([key]) => key !== name)
  return kind === 'drop' ? rest : kind === 'add' ? [...entries, [name, value]] : [...rest, [name, value]]
}

function mutated(request: PreparedRequest, path: string, mutation: Mutation): PreparedRequest {
  switch (mutation.kind) {
    case 'rawBody':
      return {
        ...request,
        body: mutation.value,
        headers: { 'content-type': 'application/json', ...request.headers },
      }
    case 'rawQuery':
      return { ...request, path: `${path}?${asPath(mutation.value)}` }
    case 'path':
      return {
        ...request,
        path: mutation.value.startsWith('/') ? asPath(mutation.value) : `/api/${asPath(mutation.value)}`,
      }
    case 'method':
      return { ...request, method: mutation.value }
    case 'header':
      return { ...request, headers: { ...request.headers, [mutation.name]: mutation.value } }
    default:
      return request
  }
}

const asText = (value: unknown) => readable(typeof value === 'string' ? value : String(JSON.stringify(value)))

/** Lone surrogates cannot be sent. */
const readable = (text: string) => Buffer.from(text).toString()

/** What Node accepts in the request line. */
const asPath = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('')

const withCanary = (request: PreparedRequest, canary: string): PreparedRequest => ({
  ...request,
  path: request.path.replaceAll('CANARY', encodeURIComponent(canary)),
  body: request.body?.replaceAll('CANARY', canary),
})

const brokenJson = fc.oneof(
  fc.json(),
  fc.json().map((text) => text.slice(0, -1)),
  fc.constantFrom(
    '[',
    '{"a":',
    '"',
    'nul',
    '\ufeff{}',
    '{"__proto__":{}}',
    '{"constructor":{"prototype":1}}',
  ),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth)),
)

const OTHER_METHODS: (Method | string)[] = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'TRACE',
]

const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'content-encoding',
  'cookie',
  'host',
  'if-none-match',
  'if-modified-since',
  'origin',
  'range',
  'referer',
  'user-agent',
  'x-http-method-override',
]

const HEADER_VALUES = [
  'gzip',
  'br;q=x',
  '*/*',
  'application/json; charset=utf-16',
  'bytes=0-',
  'x'.repeat(2000),
  '"',
]
