import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Env, isLoopbackHost } from '../env.ts'
import { HttpError } from './HttpError.ts'

/**
 * Rejects writes that another site's page sends with the listener's cookies (signin-12). If there is an Origin
 * header it must be our own; in development any loopback name with our port is.
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

/** Whether the browser reached us under its page's address, as through a tunnel or a forwarded port. */
function isOwnPage({ headers: { origin, host, ...headers } }: FastifyRequest): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  return new URL(origin).host === host || headers['sec-fetch-site'] === 'same-origin'
}

function isLoopbackOrigin(origin: string, port: number | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname, port: originPort } = new URL(origin)
  return protocol === 'http:' && isLoopbackHost(hostname) && Number(originPort || 80) === port
}
