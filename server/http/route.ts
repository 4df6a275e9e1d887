import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import {
  type Body,
  type Endpoint,
  LISTENER_HEADER,
  type Params,
  type Query,
  type Response,
} from '../../contract/endpoint.ts'
import { Id } from '../../contract/shapes.ts'
import { validationMessages } from '../validationMessages.ts'
import { Answer } from './answers.ts'
import { withDeadline } from './deadline.ts'
import { type Exchange, exchangeOf } from './exchange.ts'
import { HttpError, signInRequired } from './HttpError.ts'
import { bytesOf, disableBodyParsing, type IncomingBytes } from './incomingBytes.ts'
import { responseSchema } from './responseSchema.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path template of the call. */
    template?: string
  }
}

/** The listener of a session. */
export interface SessionUser {
  id: string
  email: string | null
  /** An operator gave them the desk (desk-10). */
  isSteward: boolean
}

export interface Call<E extends Endpoint> {
  params: Params<E>
  query: Query<E>
  body: Body<E>
  bytes: E extends { accepts: 'bytes' } ? IncomingBytes : undefined
  /** Null only for calls that visitors may make. */
  user: E['access'] extends 'public' | 'signed-address' ? SessionUser | null : SessionUser
  exchange: Exchange
}

export type Handler<E extends Endpoint, Context> = (
  call: Call<E>,
  context: Context,
) => Promise<Response<E> | Answer> | Response<E> | Answer

export interface Route<Context> {
  endpoint: Endpoint
  handle: (call: Call<Endpoint>, context: Context) => Promise<unknown> | unknown
}

/** Authenticates requests and knows who may see the diagnostic pages and the desk. */
export interface Authenticator {
  /** With `reply`, renews the cookie when the session was extended. */
  authenticate(request: FastifyRequest, reply?: FastifyReply): Promise<SessionUser | null>
  maySeeDiagnostics(user: SessionUser): boolean
  maySeeDesk(user: SessionUser): boolean
}

/**
 * Binds a call of the contract to its handler. Before the handler the caller is authorised and the input parsed; a
 * deadline runs; the answer is serialised by the contract's shape.
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
    config: { template: endpoint.path },
    schema: endpoint.response ? { response: responseSchemas(endpoint, endpoint.response) } : {},
    handler: async (request, reply) => {
      const user = await authorise(endpoint, request, reply, authenticator)
      const call = {
        params: parseParams(endpoint, request.params),
        query: parseInput(endpoint.query, request.query ?? {}),
        body: parseInput(endpoint.body, request.body),
        bytes: endpoint.accepts === 'bytes' ? bytesOf(request) : undefined,
        user,
        exchange: exchangeOf(request, reply),
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
  if (endpoint.access === 'diagnostics' && !authenticator.maySeeDiagnostics(user)) {
    throw new HttpError(403, 'This page is for the people who run the service.')
  }
  if (endpoint.access === 'steward' && !authenticator.maySeeDesk(user)) {
    throw new HttpError(403, 'The desk is for stewards.')
  }
  return user
}

/** Another tab may have signed somebody else in since the page was loaded (signin-26). */
function requireExpectedListener(user: SessionUser | null, { headers }: FastifyRequest): void {
  const expected = headers[LISTENER_HEADER.toLowerCase()]
  if (user && expected !== undefined && expected !== user.id)
    throw new HttpError(409, 'Somebody else is signed in now. Nothing was changed.')
}

function parseParams({ params: shape }: Endpoint, input: unknown): Record<string, string> {
  if (!shape) return {}
  const parsed = z.safeParse(shape, input, { error: validationMessages })
  if (parsed.success) return parsed.data as Record<string, string>
  const issue = parsed.error.issues[0]
  // An id that cannot exist answers like one that does not.
  if (shape.shape[String(issue?.path[0])] === Id) throw new HttpError(404, 'Not found.')
  throw badRequest(issue)
}

function parseInput(shape: Endpoint['body'], input: unknown): unknown {
  if (!shape) return undefined
  const parsed = z.safeParse(shape, input ?? {}, { error: validationMessages })
  if (parsed.success) return parsed.data
  throw badRequest(parsed.error.issues[0])
}

/** Names the field and what is wrong with it, without the validator's words (calls-11). */
function badRequest(issue: z.core.$ZodIssue | undefined): HttpError {
  const field = issue?.path.join('.')
  if (field) return new HttpError(400, `${field}: ${issue?.message}`)
  // A rule about several fields names them.
  if (issue?.code === 'custom') return new HttpError(400, issue.message)
  return new HttpError(400, 'The body must be a JSON object.')
}

function answer(reply: FastifyReply, value: unknown): FastifyReply {
  if (value instanceof Answer) return value.send(reply)
  // Fastify sends no body for null; the contract means the JSON value (onboarding-9).
  return value === null ? reply.type('application/json; charset=utf-8').send('null') : reply.send(value)
}
