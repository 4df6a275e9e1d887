import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import {
  type BodyOf,
  type Endpoint,
  LISTENER_HEADER,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
  type Scope,
} from '../../contract/endpoint.ts'
import { Id } from '../../contract/shapes.ts'
import { validationMessages } from '../inputErrors.ts'
import { Answer } from './answers.ts'
import { Exchange } from './exchange.ts'
import { HttpError, signInRequired, withDeadline } from './HttpError.ts'
import { bytesOf, disableBodyParsing, type IncomingBytes } from './incomingBytes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path template of the call. */
    template?: string
    /** The scope of a token that opens the call. */
    scope?: Scope
  }
}

/** The listener of a session or a token. */
export interface SessionUser {
  id: string
  email: string | null
  /** An operator gave them the desk (desk-10). */
  isSteward: boolean
}

export interface Call<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  bytes: E extends { accepts: 'bytes' } ? IncomingBytes : undefined
  /** Null only for calls that visitors may make. */
  user: E['access'] extends 'public' | 'signed-address' ? SessionUser | null : SessionUser
  exchange: Exchange
}

export type Handler<E extends Endpoint, Context> = (
  call: Call<E>,
  context: Context,
) => Promise<ResponseOf<E> | Answer> | ResponseOf<E> | Answer

export interface Route<Context> {
  endpoint: Endpoint
  handle: (call: Call<Endpoint>, context: Context) => Promise<unknown> | unknown
}

/** Authenticates requests and knows who may see the diagnostic pages and the desk. */
export interface Authenticator {
  /** With `reply`, renews the cookie when the session was extended. */
  authenticate(request: FastifyRequest, reply?: FastifyReply): Promise<SessionUser | null>
  canSeeDiagnostics(user: SessionUser): boolean
  canSeeDesk(user: SessionUser): boolean
}

/**
 * Binds a call of the contract to its handler, which runs with a deadline after the caller is authorised and the input is
 * parsed. The contract's shape serialises the response.
 */
export function route<E extends Endpoint, Context>(endpoint: E, handle: Handler<E, Context>): Route<Context> {
  return { endpoint, handle: handle as Route<Context>['handle'] }
}

export function registerRoute<Context>(
  app: FastifyInstance,
  route: Route<Context>,
  context: Context,
  authenticator: Authenticator,
): void {
  if (route.endpoint.accepts !== 'bytes') addRoute(app, route, context, authenticator)
  else {
    app.register(async (scope) => {
      disableBodyParsing(scope)
      addRoute(scope, route, context, authenticator)
    })
  }
}

function addRoute<Context>(
  app: FastifyInstance,
  { endpoint, handle }: Route<Context>,
  context: Context,
  authenticator: Authenticator,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.maxBody ? { bodyLimit: endpoint.maxBody } : {}),
    config: { template: endpoint.path, ...(endpoint.scope ? { scope: endpoint.scope } : {}) },
    schema: endpoint.response ? { response: responseSchemas(endpoint, endpoint.response) } : {},
    handler: async (request, reply) => {
      const user = await authorise(endpoint, request, reply, authenticator)
      const call = {
        params: parseParams(endpoint, request.params),
        query: parseInput(endpoint.query, request.query ?? {}),
        body: parseInput(endpoint.body, request.body),
        bytes: endpoint.accepts === 'bytes' ? bytesOf(request) : undefined,
        user,
        exchange: new Exchange(request, reply),
      } as Call<Endpoint>
      reply.header('cache-control', 'no-store')
      const work = Promise.resolve(handle(call, context))
      const result = endpoint.accepts === 'bytes' ? work : withDeadline(work, endpoint.deadline)
      return answer(reply, await result)
    },
  })
}

function responseSchemas({ ranges }: Endpoint, response: NonNullable<Endpoint['response']>) {
  const schema = responseSchema(response)
  return ranges ? { 200: schema, 206: schema } : { 200: schema }
}

async function authorise(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  authenticator: Authenticator,
) {
  if (endpoint.access === 'signed-address') return null
  const user = await withDeadline(authenticator.authenticate(request, reply))
  if (endpoint.method !== 'GET') requireExpectedListener(user, request)
  if (endpoint.access === 'public') return user
  if (!user) throw signInRequired()
  if (endpoint.access === 'diagnostics' && !authenticator.canSeeDiagnostics(user)) {
    throw new HttpError(403, 'This page is for the people who run the service.')
  }
  if (endpoint.access === 'steward' && !authenticator.canSeeDesk(user)) {
    throw new HttpError(403, 'The desk is for stewards.')
  }
  return user
}

/** Rejects a call of a page that was loaded before another tab signed somebody else in (signin-26). */
function requireExpectedListener(user: SessionUser | null, { headers }: FastifyRequest): void {
  const expected = headers[LISTENER_HEADER.toLowerCase()]
  if (user && expected !== undefined && expected !== user.id)
    throw new HttpError(409, 'Somebody else is signed in now. Nothing was changed.')
}

function parseParams({ params: shape }: Endpoint, input: unknown): Record<string, string> {
  if (!shape) return {}
  const parsed = z.safeParse(shape, input)
  if (parsed.success) return parsed.data as Record<string, string>
  const issue = firstIssue(shape, input)
  // An id that cannot exist is treated like one that does not.
  if (shape.shape[String(issue?.path[0])] === Id) throw new HttpError(404, 'Not found.')
  throw badRequest(issue)
}

function parseInput(shape: Endpoint['body'], input: unknown): unknown {
  if (!shape) return undefined
  const parsed = z.safeParse(shape, input ?? {})
  if (parsed.success) return parsed.data
  throw badRequest(firstIssue(shape, input ?? {}))
}

/** Parses again, with our messages: with them, each call with valid input would take three times as long to parse. */
function firstIssue(shape: z.ZodMiniType, input: unknown): z.core.$ZodIssue | undefined {
  return z.safeParse(shape, input, { error: validationMessages }).error?.issues[0]
}

/** Names the field and says what is wrong with it (calls-11). */
function badRequest(issue: z.core.$ZodIssue | undefined): HttpError {
  const field = issue?.path.join('.')
  if (field) return new HttpError(400, `${field}: ${issue?.message}`)
  // A rule about several fields names them.
  if (issue?.code === 'custom') return new HttpError(400, issue.message)
  return new HttpError(400, 'The body must be a JSON object.')
}

function answer(reply: FastifyReply, value: unknown): FastifyReply {
  if (value instanceof Answer) return value.send(reply)
  // For null, Fastify would send no body instead of the JSON value that the contract means (onboarding-9).
  return value === null ? reply.type('application/json; charset=utf-8').send('null') : reply.send(value)
}

type JsonSchema = Record<string, unknown>

/**
 * Makes the schema of Fastify's serialiser from the contract's shape. Unknown fields are not sent. `T | null` becomes a
 * type array, because the serialiser is slow at anyOf.
 */
function responseSchema(shape: z.ZodMiniType): JsonSchema {
  const cached = schemas.get(shape)
  if (cached) return cached
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: 'output', target: 'draft-7' }) as JsonSchema
  const simple = simplify(schema)
  schemas.set(shape, simple)
  return simple
}

/** One cache for all servers of a process, because tests start hundreds. */
const schemas = new WeakMap<z.ZodMiniType, JsonSchema>()

function simplify(schema: JsonSchema): JsonSchema {
  const result = Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !VALIDATION_ONLY.has(key))
      .map(([key, value]) => [key, simplifyValue(value)]),
  )
  const options = result.anyOf
  if (!Array.isArray(options) || options.length !== 2) return result
  const [value, nothing] = options as [JsonSchema, JsonSchema]
  if (nothing.type !== 'null' || typeof value.type !== 'string') return result
  const { anyOf: _, ...rest } = result
  return { ...rest, ...value, type: [value.type, 'null'] }
}

function simplifyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplifyValue)
  return value !== null && typeof value === 'object' ? simplify(value as JsonSchema) : value
}

/** Keywords that the serialiser does not need. */
const VALIDATION_ONLY = new Set(['pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'format'])
