import * as z from 'zod/mini'
import { type Endpoint, LISTENER_HEADER } from '../../../contract/endpoint.ts'
import { Message } from '../../../contract/shapes.ts'

type Json = Record<string, unknown>

/** The exports of each contract module, by the module's name. */
export type Contract = Record<string, Record<string, unknown>>

export interface Examples {
  /** Example of a shape, by its name in the contract. */
  shapes: Record<string, unknown>
  /** Example of a request body, by the name of its call. */
  bodies: Record<string, Json>
}

/**
 * The OpenAPI 3.1 document of the contract: an operation for each endpoint, named and tagged as the contract has it,
 * and a component for each named shape.
 */
export function openApiDocument(
  contract: Contract,
  { sessionCookie, basePath, description }: { sessionCookie: string; basePath: string; description: string },
  examples: Examples,
): Json {
  const shapes = z.registry<{ id: string; examples?: unknown[] }>()
  for (const [name, value] of exportsOf(contract)) {
    if (isShape(value) && !shapes.has(value)) {
      const example = examples.shapes[name]
      shapes.add(value, { id: name, ...(example === undefined ? {} : { examples: [example] }) })
    }
  }
  const schemas: Json = {}

  /** The schema of an answer; named shapes become components. */
  function answerSchema(shape: z.ZodMiniType): Json {
    const { $schema: _, $defs = {}, ...schema } = z.toJSONSchema(shape, { io: 'output', metadata: shapes })
    for (const [name, definition] of Object.entries($defs)) schemas[name] ??= toComponents(definition)
    return toComponents(schema) as Json
  }

  const paths: Record<string, Json> = {}
  const used = new Set<number>()
  for (const [tag, exported] of Object.entries(contract)) {
    for (const [name, value] of Object.entries(exported)) {
      if (!isEndpoint(value)) continue
      const path = value.path.replace(/:(\w+)/g, '{$1}')
      paths[path] ??= {}
      paths[path][value.method.toLowerCase()] = {
        operationId: name,
        tags: [tag],
        summary: value.summary,
        ...stability(value),
        security: security(value),
        parameters: [
          ...inputParameters(value.params, 'path'),
          ...inputParameters(value.query, 'query'),
          ...(namesListener(value) ? [LISTENER_PARAMETER] : []),
        ],
        ...requestBody(value, examples.bodies[name]),
        responses: { ...success(value, answerSchema), ...failures(value) },
      }
      for (const status of failuresOf(value)) used.add(status)
    }
  }
  // Errors refer to it by name.
  answerSchema(Message)

  return {
    openapi: '3.1.0',
    info: {
      title: 'Banger or Bust',
      version: '1',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: basePath || '/' }],
    tags: Object.keys(contract)
      .filter((tag) => Object.values(contract[tag] ?? {}).some(isEndpoint))
      .map((name) => ({ name, description: `Calls of contract/${name}.ts.` })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        token: { type: 'http', scheme: 'bearer', description: 'A token for programs, with the scope named.' },
      },
      responses: Object.fromEntries([...used].map((status) => [`Error${status}`, failure(status)])),
    },
  }
}

/** What each error status means, and an example of the message for people. */
const FAILURES: Record<number, [description: string, message: string]> = {
  400: ['The input is invalid.', 'The body is not valid JSON.'],
  401: ['There is no session, or it has ended.', 'Please sign in.'],
  403: ['Not allowed, not with this token, or sent by another site.', 'This request came from another site.'],
  404: ['It does not exist, or the caller may not see it.', 'Not found.'],
  408: ['The upload is too slow.', 'The upload is too slow. Please try again.'],
  409: [
    `It does not fit the current state, such as a limit that is reached, or ${LISTENER_HEADER} is not the session's listener.`,
    'A collection holds at most 50 microgenres.',
  ],
  413: ['The body or file is too large.', 'The body is too large.'],
  415: ['The body is not JSON.', 'The body must be JSON.'],
  416: ['The list ends before the requested range.', 'The list ends before this range.'],
  429: [
    'Too many requests. `Retry-After` is the number of seconds to wait.',
    'Too many requests. Please wait a moment.',
  ],
  500: ['A failure of the server.', 'Something went wrong on our side. Please try again.'],
  502: [
    'A service that the server depends on failed.',
    'The e-mail could not be sent. Please try again in a few minutes.',
  ],
  503: [
    'Busy or restarting. `Retry-After` is the number of seconds to wait.',
    'The service is busy or restarting. Please try again in a moment.',
  ],
  507: ['The disk is full.', 'The server has no space for uploads right now. Please try again later.'],
}

/** The error statuses that an endpoint may answer with, in ascending order. */
export function failuresOf(endpoint: Endpoint): number[] {
  const { method, params, query, body, accepts, ranges, fails = [] } = endpoint
  return [
    ...new Set([
      // Malformed input, and an address or text that cannot be decoded.
      400,
      ...(needsSession(endpoint) ? [401] : []),
      // Another site's page, or a token without the scope.
      403,
      ...(params ? [404] : []),
      ...(body || query || accepts || method !== 'GET' ? [413, 415] : []),
      ...(namesListener(endpoint) ? [409] : []),
      ...(ranges ? [416] : []),
      429,
      500,
      503,
      ...fails,
    ]),
  ].sort((a, b) => a - b)
}

const stability = ({ isStable }: Endpoint): Json =>
  isStable
    ? {
        description: 'Stable: its path, input and fields stay. It may get more of them (calls-14).',
        'x-stability': 'stable',
      }
    : {}

const security = (endpoint: Endpoint): Json[] => [
  ...(needsSession(endpoint) ? [{ session: [] }] : []),
  ...(endpoint.scope ? [{ token: [endpoint.scope] }] : []),
]

const needsSession = ({ access }: Endpoint) => access !== 'public' && access !== 'signed-address'

const namesListener = ({ access, method }: Endpoint) => method !== 'GET' && access !== 'signed-address'

const LISTENER_PARAMETER = {
  name: LISTENER_HEADER,
  in: 'header',
  required: false,
  description: 'The id of the listener who is meant. The call is refused if somebody else is signed in.',
  schema: { type: 'string' },
}

const failures = (endpoint: Endpoint): Json =>
  Object.fromEntries(
    failuresOf(endpoint).map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  )

function failure(status: number): Json {
  const [description, message] = FAILURES[status] ?? []
  const schema = { $ref: '#/components/schemas/Message' }
  return { description, content: { 'application/json': { schema, example: { message } } } }
}

function success({ answers, response, ranges }: Endpoint, toSchema: (shape: z.ZodMiniType) => Json): Json {
  const schema = { type: 'string' }
  const redirects = { 302: { description: 'Redirects to another page.', headers: { Location: { schema } } } }
  if (answers === 'redirect') return redirects
  if (answers === 'document')
    return { 200: { description: 'A page.', content: { 'text/html': { schema } } }, ...redirects }
  if (!response) return { 200: { description: 'A file.', content: BYTES } }
  const answer = {
    description: 'Success.',
    content: { 'application/json': { schema: toSchema(response) } },
  }
  if (!ranges) return { 200: answer }
  const part = { 'Content-Range': { schema: { type: 'string', examples: ['items 0-19/412'] } } }
  return { 200: answer, 206: { ...answer, description: 'The requested items.', headers: part } }
}

const BYTES = { 'application/octet-stream': { schema: { type: 'string' } } }

function requestBody({ body, accepts }: Endpoint, example: Json | undefined): Json {
  if (accepts === 'bytes') return { requestBody: { required: true, content: BYTES } }
  if (!body) return {}
  const schema = inputSchema(body)
  const required = Array.isArray(schema.required) && schema.required.length > 0
  return {
    requestBody: { required, content: { 'application/json': { schema, ...(example ? { example } : {}) } } },
  }
}

function inputParameters(shape: z.ZodMiniObject | undefined, place: 'path' | 'query'): Json[] {
  if (!shape) return []
  const { properties = {}, required = [] } = inputSchema(shape) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }))
}

function inputSchema(shape: z.ZodMiniType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: 'input' })
  return schema as Json
}

/** With references to the document's components, in place of the schema's own definitions. */
function toComponents(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toComponents)
  if (schema === null || typeof schema !== 'object') return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' ? String(value).replace('#/$defs/', '#/components/schemas/') : toComponents(value),
    ]),
  )
}

const exportsOf = (contract: Contract) =>
  Object.values(contract).flatMap((exported) => Object.entries(exported))

const isShape = (value: unknown): value is z.ZodMiniType =>
  typeof value === 'object' && value !== null && '_zod' in value

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
