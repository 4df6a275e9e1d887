import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RawRequestDefaultExpression } from 'fastify'
import { API_TOKEN_PREFIX } from '../../contract/apiTokens.ts'
import type { Env } from '../env.ts'
import { isLoopbackHost } from '../settings.ts'
import { HttpError } from './HttpError.ts'

/**
 * Rejects writes that another site's page sends with the listener's cookies (signin-12). An Origin header must name our
 * own origin; in development, that is any loopback name with our port.
 */
export function checkOrigin(app: FastifyInstance, env: Env): void {
  const publicUrl = new URL(env.publicUrl)
  const isAllowed = ({ method, headers: { origin }, socket }: FastifyRequest) =>
    method === 'GET' ||
    method === 'HEAD' ||
    method === 'OPTIONS' ||
    origin === undefined ||
    origin === publicUrl.origin ||
    (!env.production && isLoopbackOrigin(origin, socket.localPort))
  app.addHook('onRequest', (request, _, done) => {
    done(
      isAllowed(request)
        ? undefined
        : new HttpError(403, isOwnPage(request) ? wrongOriginMessage(request) : CROSS_SITE_MESSAGE),
    )
  })
  const wrongOriginMessage = ({ headers: { origin } }: FastifyRequest) =>
    `This page is at ${origin}, but PUBLIC_URL is ${publicUrl.origin}${env.basePath}. Open that one, or set PUBLIC_URL to ${origin}${env.basePath}.`
}

const CROSS_SITE_MESSAGE = 'This request came from another site.'

/** Whether the page is ours at another address, such as that of a tunnel or a forwarded port. */
function isOwnPage({ headers: { origin, host, ...headers } }: FastifyRequest): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  return new URL(origin).host === host || headers['sec-fetch-site'] === 'same-origin'
}

function isLoopbackOrigin(origin: string, port: number | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname, port: originPort } = new URL(origin)
  return protocol === 'http:' && isLoopbackHost(hostname) && Number(originPort || 80) === port
}

/**
 * Adds HEAD to every GET, with its status and headers (calls-10, RFC 9110 §9.3.2). Node leaves out the body, and a file is
 * not read for it. Call this before routes are added. Handlers whose GET changes something check `Exchange.isHead`.
 */
export function addHeadRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat()
    if (methods.includes('GET') && !methods.includes('HEAD')) route.method = [...methods, 'HEAD']
  })
  app.addHook('onSend', (request, _, payload, done) => {
    if (request.method !== 'HEAD') return done(null, payload)
    // Fastify sends Content-Length, as for GET, for an empty string but not for undefined.
    if (!(payload instanceof Readable)) return done(null, payload ?? '')
    payload.on('error', () => {}).destroy()
    done(null, Readable.from([]))
  })
}

const REQUEST_ID_HEADER = 'x-request-id'

/** A new id for each request; behind a trusted proxy, the proxy's id, so that both logs match. */
export function makeRequestIds(env: Env): (request: RawRequestDefaultExpression) => string {
  const isBehindProxy = env.TRUST_PROXY !== undefined && env.TRUST_PROXY !== 'false'
  return ({ headers }) => {
    const proxyId = isBehindProxy ? headers[REQUEST_ID_HEADER] : undefined
    return typeof proxyId === 'string' && /^[\w.:-]{8,100}$/.test(proxyId) ? proxyId : randomUUID()
  }
}

/** Sends the id that the log has (`reqId`) with each response. */
export function sendRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id)
    done()
  })
}

/**
 * The listener's token that a program sent (signin-28). Other credentials in this header are for a proxy, whose
 * listeners have a session.
 */
export function readApiToken({ headers: { authorization = '' } }: FastifyRequest): string | null {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(authorization) ?? []
  return token.startsWith(API_TOKEN_PREFIX) ? token : null
}

/** A hook: a token opens only the routes that name a scope, also when a cookie comes with it (signin-28). */
export function refuseApiTokens(
  request: FastifyRequest,
  _: FastifyReply,
  done: (error?: Error) => void,
): void {
  const isRefused = readApiToken(request) !== null && !request.routeOptions.config.scope
  done(isRefused ? new HttpError(403, 'No token opens this call.') : undefined)
}
