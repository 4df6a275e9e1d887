import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Env, isLoopbackHost } from '../env.ts'
import { HttpError } from './HttpError.ts'

/**
 * Rejects writes that another site's page sends with the listener's cookies (signin-12). If there is an Origin
 * header it must be our own; in development any loopback name with our port is.
 */
export function checkOrigin(app: FastifyInstance, env: Env): void {
  const own = new URL(env.publicUrl)
  const isAllowed = ({ method, headers: { origin }, socket }: FastifyRequest) =>
    method === 'GET' ||
    method === 'HEAD' ||
    method === 'OPTIONS' ||
    origin === undefined ||
    origin === own.origin ||
    (!env.production && isLoopbackOrigin(origin, socket.localPort))
  app.addHook('onRequest', (request, _, done) => {
    done(isAllowed(request) ? undefined : new HttpError(403, 'This request came from another site.'))
  })
}

function isLoopbackOrigin(origin: string, port: number | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname, port: originPort } = new URL(origin)
  return protocol === 'http:' && isLoopbackHost(hostname) && Number(originPort || 80) === port
}
